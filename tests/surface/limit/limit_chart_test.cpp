#include "cutis/surface/limit/limit_chart.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace cutis {
namespace {

using test::Random;

Mesh polygon(int sides) {
  Mesh mesh;
  std::vector<VertexId> corners;
  for (int i = 0; i < sides; ++i) {
    const double a = 2 * std::numbers::pi * i / sides;
    corners.push_back(mesh.positions.push_back(Vec3(std::cos(a), std::sin(a), 0)));
  }
  mesh.add_face(corners);
  return mesh;
}

Vec3 random_barycentric(Random& random) {
  double a = random(), b = random();
  if (a + b > 1) a = 1 - a, b = 1 - b;
  return {1 - a - b, a, b};
}

TEST(LimitChart, CornersAreTheOriginsOfTheirSquares) {
  for (int sides : {3, 5, 6, 7, 12}) {
    const Mesh mesh = polygon(sides);
    const TriangleMesh triangles = triangulated(mesh);
    const LimitChart chart(mesh, triangles, false);
    for (FaceId t : ids<FaceId>(triangles.mesh.face_count()))
      for (int k = 0; k < 3; ++k) {
        const PatchCoordinates corner = chart.at({t, Vec3::Unit(k)});
        EXPECT_EQ(corner.patch_face, triangles.corner[CornerId(3 * t.value + k)].value);
        EXPECT_LT(corner.uv.norm(), 1e-14);
      }
  }
}

TEST(LimitChart, PolygonsAreCoveredOnce) {
  constexpr int samples = 2000;
  for (int sides : {3, 4, 5, 6, 7, 12}) {
    const Mesh mesh = polygon(sides);
    const TriangleMesh triangles = triangulated(mesh);
    const LimitChart chart(mesh, triangles, false);
    Random random(4);
    double covered = 0;
    for (FaceId t : ids<FaceId>(triangles.mesh.face_count()))
      for (int i = 0; i < samples; ++i) {
        const PatchCoordinates c = chart.at({t, random_barycentric(random)});
        const double jacobian = c.d1.x() * c.d2.y() - c.d1.y() * c.d2.x();
        EXPECT_GT(jacobian, 0);
        covered += jacobian / 2 / samples;
      }
    EXPECT_NEAR(covered, sides == 4 ? 1 : sides, 0.02 * sides);
  }
}

TEST(LimitChart, DerivativesMatchDifferences) {
  constexpr double h = 1e-5;
  const Vec3 along1(-1, 1, 0), along2(-1, 0, 1);
  for (int sides : {3, 5, 6, 7, 12}) {
    const Mesh mesh = polygon(sides);
    const TriangleMesh triangles = triangulated(mesh);
    const LimitChart chart(mesh, triangles, false);
    Random random(5);
    int checked = 0;
    for (int i = 0; i < 1000; ++i) {
      const SurfacePoint p{FaceId(random.below(static_cast<int>(triangles.mesh.face_count()))),
                           random_barycentric(random)};
      if (p.barycentric.minCoeff() < 2 * h) continue;
      const auto at = [&](const Vec3& d) { return chart.at({p.face, p.barycentric + h * d}); };
      const PatchCoordinates c = chart.at(p), f1 = at(along1), b1 = at(-along1), f2 = at(along2),
                             b2 = at(-along2);
      if (f1.patch_face != b1.patch_face || f2.patch_face != b2.patch_face) continue;
      const double bend = 1 + c.d11.norm() + c.d22.norm(), tolerance = 1e-8 * bend * bend;
      EXPECT_LT(((f1.uv - b1.uv) / (2 * h) - c.d1).norm(), tolerance);
      EXPECT_LT(((f2.uv - b2.uv) / (2 * h) - c.d2).norm(), tolerance);
      EXPECT_LT(((f1.d1 - b1.d1) / (2 * h) - c.d11).norm(), tolerance);
      EXPECT_LT(((f2.d1 - b2.d1) / (2 * h) - c.d12).norm(), tolerance);
      EXPECT_LT(((f2.d2 - b2.d2) / (2 * h) - c.d22).norm(), tolerance);
      ++checked;
    }
    EXPECT_GT(checked, 900);
  }
}

}  // namespace
}  // namespace cutis
