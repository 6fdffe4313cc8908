#include "cutis/surface/field/uv_turn.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/map/chart_transition.h"
#include "support/meshes.h"

namespace cutis {
namespace {

/// A vector of a normal map that is looked up, as the mesh's own tangent frame sees it: as the documentation
/// says.
Vec2 turned(const Vec2& n, double angle) {
  const Vec2 flipped(n.x(), angle > pi ? -n.y() : n.y());
  return ChartTransition::product(flipped, Vec2(std::cos(angle), std::sin(angle)));
}

TEST(UvTurn, TurnsNormalsAlong) {
  for (const bool own_mirrored : {false, true})
    for (const bool mirrored : {false, true})
      for (const double angle : {0.0, 0.4, -2.5, 3.0}) {
        Mesh mesh = test::sheet(6, 6, 0.2, 4);
        // UVs of the sheet are x and y; the mesh's own are perhaps mirrored, and so is the texture.
        if (own_mirrored)
          for (Vec2& uv : mesh.uvs) uv.x() = -uv.x();
        const ChartTransition place{1.7 * Vec2(std::cos(angle), std::sin(angle)), Vec2(0.3, 0.1), mirrored};
        IdVector<CornerId, Vec2> moved;
        for (const Vec2& uv : mesh.uvs) moved.push_back(place(uv));
        const IdVector<FaceId, int> chart(mesh.face_count(), 0);
        const auto turns = uv_turns(mesh, mesh.positions, chart, moved, chart);
        // A vector in the texture's frame is one in space by its own u and v; so it must be in the mesh's.
        const Vec2 n(0.3, 0.8), in_own = place.inverse().vector(n) * place.scale();
        for (double turn : turns) {
          EXPECT_EQ(turn > pi, mirrored);
          EXPECT_LT((turned(n, turn) - in_own).norm(), 1e-9);
        }
      }
}

}  // namespace
}  // namespace cutis
