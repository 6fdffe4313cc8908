#include "cutis/wrinkle/contact/layer_height.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/surface.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

/// A place of a triangle lifted along its interpolated normals.
Vec3 lifted(const Surface& s, const SurfacePoint& p, double height) {
  return s.position(p) + height * interpolate(s.mesh(), s.normals(), p);
}

LayerShape shape_of(const Surface& s) { return {s.topology(), s.positions(), s.normals()}; }

/// On curved and jagged meshes, from material places some triangles away.
TEST(LayerHeight, FindsThePrismThatAPointWasLiftedIn) {
  for (const Surface& s :
       {Surface(icosphere(3)), Surface(torus(40, 20, 1, 0.4)), Surface(sheet(20, 20, 0.3, 2))}) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      const SurfacePoint foot{FaceId(random.below(static_cast<int>(s.mesh().face_count()))),
                              Vec3(0.2, 0.3, 0.5)};
      const double height = random(-0.05, 0.1);
      const Vec3 p = lifted(s, foot, height);
      FaceId start = foot.face;
      for (int k = 0; k < 6; ++k) {
        const HalfedgeId h(s.topology().halfedge(start).value + random.below(3));
        if (!s.topology().is_border(s.topology().twin(h))) start = s.topology().face(s.topology().twin(h));
      }
      const auto found = prism_place(shape_of(s), p, {start, Vec3(1, 0, 0)});
      ASSERT_TRUE(found) << i;
      EXPECT_EQ(found->foot.face, foot.face) << i;
      EXPECT_NEAR(found->height, height, 1e-11) << i;
      EXPECT_LT((found->foot.barycentric - foot.barycentric).norm(), 1e-9) << i;
    }
  }
}

TEST(LayerHeight, HasTheGradientOfFiniteDifferences) {
  const Surface s(icosphere(2));
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const SurfacePoint foot{FaceId(i), Vec3(0.3, 0.3, 0.4)};
    const Vec3 p = lifted(s, foot, random(0.02, 0.2));
    const auto found = prism_place(shape_of(s), p, foot);
    ASSERT_TRUE(found);
    double best = 1;
    for (const double h : {1e-3, 1e-4, 1e-5, 1e-6}) {
      Vec3 change;
      for (int k = 0; k < 3; ++k)
        change[k] = (prism_place(shape_of(s), p + h * Vec3::Unit(k), foot)->height -
                     prism_place(shape_of(s), p - h * Vec3::Unit(k), foot)->height) /
                    (2 * h);
      best = std::min(best, (change - found->gradient).norm());
    }
    EXPECT_LT(best, 1e-8) << i;
  }
}

/// Neighbouring prisms share their walls: heights have no jump between them.
TEST(LayerHeight, IsContinuousFromPrismToPrism) {
  const Surface s(icosphere(2));
  double before = 0;
  SurfacePoint start = ClosestPointTree(s.mesh())(Vec3(1.1, 0, 0.11)).point;
  for (int i = 0; i <= 4000; ++i) {
    const double angle = 2 * pi * i / 4000;
    const auto found = prism_place(shape_of(s), 1.1 * Vec3(std::cos(angle), std::sin(angle), 0.1), start);
    ASSERT_TRUE(found);
    if (i > 0) {
      EXPECT_LT(std::abs(found->height - before), 1e-3) << i;
    }
    before = found->height;
    start = found->foot;
  }
}

/// Inside of a sphere prisms meet in its middle: beyond, a point is in none of them or in one of the other
/// side.
TEST(LayerHeight, EndsWherePrismsAreTurnedInsideOut) {
  Mesh inwards = icosphere(2);
  for (FaceId f : ids<FaceId>(inwards.face_count()))
    std::swap(inwards.corners[CornerId(3 * f.index())], inwards.corners[CornerId(3 * f.index() + 1)]);
  const Surface s(inwards);
  for (FaceId f : ids<FaceId>(inwards.face_count())) {
    const SurfacePoint foot{f, Vec3(0.3, 0.3, 0.4)};
    const auto before = prism_place(shape_of(s), lifted(s, foot, 0.7), foot);
    ASSERT_TRUE(before);
    EXPECT_NEAR(before->height, 0.7, 1e-11);
    const auto beyond = prism_place(shape_of(s), lifted(s, foot, 1.4), foot);
    if (beyond) {
      EXPECT_LT(beyond->height, 1);
    }
  }
}

TEST(LayerHeight, OfARoofHasTheGradientOfFiniteDifferences) {
  const Surface upper(sheet(12, 12, 0.3, 3));
  Random random(3);
  Points y = upper.positions();
  for (Vec3& p : y) p += Vec3(0, 0, 0.1) + 0.01 * random.in_cube();
  for (int i = 0; i < 40; ++i) {
    const Vec3 q(random(0.2, 0.8), random(0.2, 0.8), 0);
    const Vec3 normal = (Vec3::UnitZ() + 0.3 * random.in_cube()).normalized();
    const auto found = line_triangle_hit(upper.topology(), y, q, normal, {FaceId(0), Vec3(1, 0, 0)});
    ASSERT_TRUE(found) << i;
    EXPECT_LT((interpolate(upper.mesh(), y, found->point) - q - found->height * normal).norm(), 1e-13);
    if (found->point.barycentric.minCoeff() < 0.01) continue;
    const auto face = upper.mesh().face(found->point.face);
    double best = 1;
    for (const double h : {1e-4, 1e-5, 1e-6}) {
      double error = 0;
      for (std::size_t c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
          Points ahead = y, behind = y;
          ahead[face[c]][k] += h;
          behind[face[c]][k] -= h;
          const double change =
              (line_triangle_hit(upper.topology(), ahead, q, normal, found->point)->height -
               line_triangle_hit(upper.topology(), behind, q, normal, found->point)->height) /
              (2 * h);
          error = std::max(error, std::abs(change - found->gradient[c][k]));
        }
      best = std::min(best, error);
    }
    EXPECT_LT(best, 1e-8) << i;
  }
}

}  // namespace
}  // namespace cutis::test
