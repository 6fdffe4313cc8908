#include "cutis/surface/field/line_turn.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace cutis {
namespace {

Vec3 centre(const Mesh& mesh, const IndexTriangle& t) {
  Vec3 sum = Vec3::Zero();
  for (std::int32_t v : t) sum += mesh.positions[VertexId(static_cast<int>(v))];
  return sum / 3;
}

TEST(LineTurn, IsTheDifferenceOfAnglesInAPlaneWhateverTheSigns) {
  const Mesh mesh = test::sheet(6, 5, 0.3, 4);
  const std::vector<IndexTriangle> triangles = index_triangles(mesh);
  const auto angle = [&](std::size_t t) { return 9 * centre(mesh, triangles[t]).x(); };
  LineDirections field;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    field.push_back((t % 2 ? 1 : -1) * Vec3(std::cos(angle(t)), std::sin(angle(t)), 0));
  const auto turns = line_turns(mesh.positions.raw(), triangles, field);
  EXPECT_EQ(turns.size(), (3 * triangles.size() - 2 * (6 + 5)) / 2) << "borders have no other side";
  for (const LineTurn& turn : turns) {
    const double expected = std::remainder(angle(turn.left) - angle(turn.right), std::numbers::pi);
    EXPECT_NEAR(turn.angle, std::abs(expected), 1e-12);
    EXPECT_GT(turn.length, 0);
  }
}

TEST(LineTurn, AFoldDoesNotTurnALineThatGoesStraightOnOverIt) {
  // Two triangles at right angles about the y axis.
  const std::vector<Vec3> points = {{0, 0, 0}, {0, 2, 0}, {-1, 1, 0}, {0, 1, 1}, {0, 1, -1}};
  const std::vector<IndexTriangle> triangles = {{0, 1, 2}, {1, 0, 3}};
  const Vec3 along(0, 1, 0);
  const LineDirections straight({(Vec3(1, 0, 0) + along).normalized(), (Vec3(0, 0, 1) + along).normalized()});
  const auto turns = line_turns(points, triangles, straight);
  ASSERT_EQ(turns.size(), 1u);
  EXPECT_NEAR(turns[0].angle, 0, 1e-12);
  EXPECT_DOUBLE_EQ(turns[0].length, 2);
  const LineDirections bent({Vec3(1, 0, 0), along});
  EXPECT_NEAR(line_turns(points, triangles, bent)[0].angle, std::numbers::pi / 2, 1e-12);
  // A third triangle at the edge, or a neighbour that is turned over: nothing goes on there.
  const LineDirections three({Vec3(1, 0, 0), along, along});
  EXPECT_TRUE(line_turns(points, std::vector<IndexTriangle>{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, three).empty());
  EXPECT_TRUE(line_turns(points, std::vector<IndexTriangle>{{0, 1, 2}, {0, 1, 3}}, bent).empty());
}

}  // namespace
}  // namespace cutis
