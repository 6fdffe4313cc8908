#include "cutis/run/quantized_map.h"

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/support.h"

namespace cutis {
namespace {

double longest_side(const Mesh& mesh, FaceId f) {
  const auto face = mesh.face(f);
  double longest = 0;
  for (int k = 0; k < 3; ++k)
    longest = std::max(longest, (mesh.positions[face[k]] - mesh.positions[face[(k + 1) % 3]]).norm());
  return longest;
}

SurfacePoint somewhere(std::size_t faces, test::Random& random) {
  const double a = random(), b = random();
  const Vec3 inside = a + b < 1 ? Vec3(1 - a - b, a, b) : Vec3(a + b - 1, 1 - a, 1 - b);
  return {FaceId(random.below(static_cast<int>(faces))), inside};
}

TEST(QuantizedPoint, LiesWithinTheStatedErrorOfThePoint) {
  test::Random random(1);
  for (const auto& [name, mesh] : test::mesh_families()) {
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      const SurfacePoint p = somewhere(mesh.face_count(), random), q = expanded(quantized(p));
      ASSERT_EQ(p.face, q.face);
      const double off = (interpolate(mesh, mesh.positions, p) - interpolate(mesh, mesh.positions, q)).norm();
      worst = std::max(worst, off / longest_side(mesh, p.face));
    }
    EXPECT_LT(worst, 2.0 / 3 / kMapSteps * (1 + 1e-9)) << name;  // 4.1e-5, as stated
    EXPECT_GT(worst, 0.3 / kMapSteps) << name;
  }
}

TEST(QuantizedPoint, CornersStayCornersAndWhatIsQuantizedStaysAsItIs) {
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(expanded(quantized({FaceId(4), Vec3::Unit(k)})).barycentric, Vec3::Unit(k));
  EXPECT_EQ(quantized({FaceId(4), Vec3(-1e-9, 0.5, 0.5)}).second + 0, (kMapSteps + 1) / 2);
  EXPECT_EQ(expanded(quantized({FaceId(4), Vec3(-1e-9, 0.25, 0.75)})).barycentric[0], 0);
  test::Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const QuantizedPoint q = quantized(somewhere(100, random));
    EXPECT_EQ(quantized(expanded(q)), q);
    EXPECT_LE(q.second + q.third, kMapSteps);
  }
}

}  // namespace
}  // namespace cutis
