#include "cutis/surface/mesh/deformation.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <Eigen/SVD>

#include "support/meshes.h"

namespace cutis {
namespace {

Mat3 some_rotation(test::Random& random) {
  return (Eigen::AngleAxisd(random(0, 6), random.in_cube().normalized())).toRotationMatrix();
}

/// Any triangle that is not a sliver, anywhere.
std::array<Vec3, 3> some_triangle(test::Random& random) {
  for (;;) {
    const std::array<Vec3, 3> t = {random.in_cube(), random.in_cube(), random.in_cube()};
    if ((t[1] - t[0]).cross(t[2] - t[0]).norm() > 0.3) return t;
  }
}

/// F of a triangle in the plane z = 0 under a linear map, in the axes of the rest triangle.
Mat32 gradient_under(const std::array<Vec3, 3>& t, const Mat3& map) {
  return deformation_gradient(rest_triangle(t[0], t[1], t[2]), map * t[0], map * t[1], map * t[2]);
}

const std::array<Vec3, 3> kFlat = {Vec3(0.2, 0.1, 0), Vec3(1.3, 0.4, 0), Vec3(0.5, 1.1, 0)};

TEST(Deformation, TakesTheSidesAtRestToTheSidesNow) {
  test::Random random(1);
  for (int i = 0; i < 100; ++i) {
    const auto a = some_triangle(random), b = some_triangle(random);
    const RestTriangle rest = rest_triangle(a[0], a[1], a[2]);
    const Mat32 F = deformation_gradient(rest, b[0], b[1], b[2]);
    for (const auto& [p, q] : {std::pair(0, 1), {0, 2}, {1, 2}}) {
      const Vec2 side = rest.axes.transpose() * (a[q] - a[p]);
      EXPECT_LT((F * side - (b[q] - b[p])).norm(), 1e-13);
    }
    EXPECT_NEAR(rest.area, 0.5 * (a[1] - a[0]).cross(a[2] - a[0]).norm(), 1e-15);
    EXPECT_LT((rest.axes.transpose() * rest.axes - Mat2::Identity()).norm(), 1e-14);
    const double now = 0.5 * (b[1] - b[0]).cross(b[2] - b[0]).norm();
    EXPECT_NEAR(area_ratio(F), now / rest.area, 1e-12 * area_ratio(F));
  }
}

TEST(Deformation, ARotationStretchesNothing) {
  test::Random random(2);
  for (int i = 0; i < 100; ++i) {
    const auto t = some_triangle(random);
    const Mat32 F = gradient_under(t, some_rotation(random));
    const PrincipalStretches s = principal_stretches(F);
    EXPECT_NEAR(s.max, 1, 1e-13);
    EXPECT_NEAR(s.min, 1, 1e-13);
    EXPECT_LT(green_strain_norm(F), 1e-13);
    EXPECT_NEAR(area_ratio(F), 1, 1e-13);
  }
}

TEST(Deformation, UniaxialStretch) {
  const double stretch = 1.7;
  const PrincipalStretches s =
      principal_stretches(gradient_under(kFlat, Vec3(1, stretch, 1).asDiagonal().toDenseMatrix()));
  EXPECT_NEAR(s.max, stretch, 1e-14);
  EXPECT_NEAR(s.min, 1, 1e-14);
  EXPECT_NEAR(std::abs(s.max_now.y()), 1, 1e-14);
  EXPECT_NEAR(std::abs(s.min_now.x()), 1, 1e-14);
  const Mat32 F = gradient_under(kFlat, Vec3(1, stretch, 1).asDiagonal().toDenseMatrix());
  EXPECT_NEAR(green_strain_norm(F), (stretch * stretch - 1) / 2, 1e-14);
  EXPECT_NEAR(area_ratio(F), stretch, 1e-14);
}

TEST(Deformation, SimpleShear) {
  // x += g y: the stretches are sqrt(1 + g²/4) ± g/2, and the greater one lies at atan(greater) from y to x.
  for (const double g : {1e-7, 0.1, 1.0, 5.0}) {
    Mat3 shear = Mat3::Identity();
    shear(0, 1) = g;
    const Mat32 F = gradient_under(kFlat, shear);
    const PrincipalStretches s = principal_stretches(F);
    const double greater = std::sqrt(1 + g * g / 4) + g / 2;
    EXPECT_NEAR(s.max, greater, 1e-13);
    EXPECT_NEAR(s.min, 1 / greater, 1e-13);
    EXPECT_NEAR(area_ratio(F), 1, 1e-13);
    EXPECT_NEAR(green_strain_norm(F), std::sqrt(g * g / 2 + g * g * g * g / 4), 1e-13);
    // C = [1 g; g 1 + g²]: tan of the angle of its first eigenvector is the greater stretch; now it lies at
    // one over that.
    const Vec3 now = Vec3(greater, 1, 0).normalized();
    EXPECT_NEAR(std::abs(s.max_now.dot(now)), 1, g > 1e-3 ? 1e-13 : 1e-8);
    const RestTriangle rest = rest_triangle(kFlat[0], kFlat[1], kFlat[2]);
    const Vec3 before = rest.axes * s.max_rest;
    EXPECT_NEAR(std::abs(before.dot(Vec3(1, greater, 0).normalized())), 1, g > 1e-3 ? 1e-13 : 1e-8);
  }
}

TEST(Deformation, PrincipalStretchesPutFTogetherAgain) {
  test::Random random(3);
  for (int i = 0; i < 1000; ++i) {
    Mat32 F;
    F << random.in_cube(), random.in_cube();
    if (i % 4 == 1) F.col(1) *= 1e-9;
    if (i % 4 == 2) F.col(0) *= 1e9;
    if (i % 4 == 3) F.col(0) = F.col(1) * 2 + 1e-8 * F.col(0);
    const PrincipalStretches s = principal_stretches(F);
    ASSERT_GE(s.max, s.min);
    ASSERT_GE(s.min, 0);
    const Mat32 again =
        s.max * s.max_now * s.max_rest.transpose() + s.min * s.min_now * s.min_rest.transpose();
    EXPECT_LT((again - F).norm(), 4e-15 * F.norm()) << i;
    EXPECT_LT(std::abs(s.max_now.dot(s.min_now)), 1e-14);
    EXPECT_LT(std::abs(s.max_rest.dot(s.min_rest)), 1e-14);
    const Eigen::Vector2d reference = Eigen::JacobiSVD<Mat32>(F).singularValues();
    EXPECT_NEAR(s.max, reference[0], 1e-14 * reference[0]);
    EXPECT_NEAR(s.min, reference[1], 1e-14 * reference[0]);
  }
}

TEST(Deformation, CollapsedTrianglesHaveStretchesToo) {
  const PrincipalStretches line = principal_stretches((Mat32() << 0, 2, 0, 0, 0, 0).finished());
  EXPECT_EQ(line.max, 2);
  EXPECT_EQ(line.min, 0);
  EXPECT_NEAR(line.min_now.norm(), 1, 1e-15);
  const PrincipalStretches point = principal_stretches(Mat32::Zero());
  EXPECT_EQ(point.max, 0);
  EXPECT_EQ(point.min, 0);
  EXPECT_TRUE(point.max_now.allFinite() && point.min_now.allFinite());
}

TEST(Deformation, DegenerateRestTrianglesSaySo) {
  EXPECT_TRUE(rest_triangle(Vec3::Zero(), Vec3::Zero(), Vec3::Zero()).degenerate());
  EXPECT_TRUE(rest_triangle(Vec3::Zero(), Vec3::UnitX(), 2 * Vec3::UnitX()).degenerate());
  EXPECT_TRUE(rest_triangle(Vec3::Zero(), Vec3::UnitX(), Vec3::Constant(NAN)).degenerate());
  EXPECT_FALSE(rest_triangle(Vec3::Zero(), Vec3::UnitX(), Vec3(0.5, 1e-9, 0)).degenerate());
  EXPECT_FALSE(rest_triangle(Vec3::Zero(), 1e-9 * Vec3::UnitX(), 1e-9 * Vec3::UnitY()).degenerate());
}

TEST(Deformation, StretchOfASmoothMapConvergesWithTheMesh) {
  // The unit square rolled onto a cylinder of half the arc length and pulled to 1.5 in height: stretches 1.5
  // and 0.5 everywhere. Chords are shorter than arcs, by a share of the squared edge length.
  const auto error = [](int n) {
    const Mesh sheet = test::sheet(n, n, 0.1, 5);
    const std::vector<IndexTriangle> triangles = index_triangles(sheet);
    std::vector<Vec3> now;
    for (const Vec3& p : sheet.positions)
      now.push_back(Vec3(0.5 * std::sin(p.x()), 1.5 * p.y(), 0.5 * std::cos(p.x())));
    double worst = 0;
    const auto rest = rest_triangles(sheet.positions.raw(), triangles);
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      const auto& t = triangles[i];
      const PrincipalStretches s =
          principal_stretches(deformation_gradient(rest[i], now[t[0]], now[t[1]], now[t[2]]));
      worst = std::max({worst, std::abs(s.max - 1.5), std::abs(s.min - 0.5)});
    }
    return worst;
  };
  const double coarse = error(10), fine = error(20), finest = error(40);
  EXPECT_LT(finest, 1e-3);
  EXPECT_GT(coarse / fine, 3);
  EXPECT_GT(fine / finest, 3);
}

}  // namespace
}  // namespace cutis
