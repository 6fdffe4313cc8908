#include "cutis/material/membrane/membrane_stress.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/mesh/deformation.h"
#include "support/meshes.h"

namespace cutis {
namespace {

constexpr double kYoung = 3e5, kPoisson = 0.3, kThickness = 1.5e-3;  // Pa, 1, m

/// St. Venant-Kirchhoff membrane: P = F S, S = h E / (1 - nu²) ((1 - nu) e + nu tr(e) I), with e the Green
/// strain.
Mat32 st_venant_kirchhoff(const Mat32& F) {
  const Mat2 e = green_strain(F);
  const Mat2 S = kThickness * kYoung / (1 - kPoisson * kPoisson) *
                 ((1 - kPoisson) * e + kPoisson * e.trace() * Mat2::Identity());
  return F * S;
}

Mat32 turned(const Mat3& rotation, double a, double b) {
  Mat32 F = Mat32::Zero();
  F(0, 0) = a;
  F(1, 1) = b;
  return rotation * F;
}

TEST(MembraneStress, BiaxialStretchHasItsClosedForm) {
  const double a = 1.3, b = 0.9;
  const double ea = (a * a - 1) / 2, eb = (b * b - 1) / 2;
  const double modulus = kThickness * kYoung / (1 - kPoisson * kPoisson);
  // Force along x over the length b that it acts on.
  const double along = a * modulus * (ea + kPoisson * eb) / b,
               across = b * modulus * (eb + kPoisson * ea) / a;
  test::Random random(7);
  for (int i = 0; i < 20; ++i) {
    const Mat3 rotation = Eigen::AngleAxisd(random(0, 6), random.in_cube().normalized()).toRotationMatrix();
    const Mat32 F = turned(rotation, a, b), P = st_venant_kirchhoff(F);
    const PrincipalValues t = principal_values(tension(F, P), F);
    EXPECT_NEAR(t.max, along, 1e-12 * modulus);
    EXPECT_NEAR(t.min, across, 1e-12 * modulus);
    const double thickness = thickness_now(F, kThickness);
    EXPECT_NEAR(thickness * a * b, kThickness, 1e-16);
    const PrincipalValues s = principal_values(cauchy_stress(F, P, thickness), F);
    EXPECT_NEAR(s.max * thickness, along, 1e-12 * modulus);
    EXPECT_NEAR(s.min * thickness, across, 1e-12 * modulus);
  }
}

TEST(MembraneStress, SmallUniaxialStressIsYoungTimesStrain) {
  // Across the pull the skin narrows by nu: no stress there.
  const double strain = 1e-6;
  const Mat32 F = turned(Mat3::Identity(), 1 + strain, 1 - kPoisson * strain);
  const PrincipalValues s =
      principal_values(cauchy_stress(F, st_venant_kirchhoff(F), thickness_now(F, kThickness)), F);
  EXPECT_NEAR(s.max, kYoung * strain, 1e-5 * kYoung * strain);
  EXPECT_NEAR(s.min, 0, 1e-5 * kYoung * strain);
}

TEST(MembraneStress, IsSymmetricTangentAndBalancesTheForcesOnASide) {
  test::Random random(8);
  for (int i = 0; i < 50; ++i) {
    Mat32 F;
    F << random.in_cube() + 1.5 * Vec3::UnitX(), random.in_cube() + 1.5 * Vec3::UnitY();
    const Mat32 P = st_venant_kirchhoff(F);
    const Mat3 T = tension(F, P);
    EXPECT_LT((T - T.transpose()).norm(), 1e-12 * T.norm());
    const Vec3 normal = F.col(0).cross(F.col(1)).normalized();
    EXPECT_LT((T * normal).norm(), 1e-12 * T.norm());
    // The force through a side d at rest is P (d turned by a right angle), and T times the turned side now.
    const Vec2 d = random.in_cube().head<2>();
    const Vec3 force = P * Vec2(d.y(), -d.x()), now = F * d;
    EXPECT_LT((T * now.cross(normal) - force).norm(), 1e-12 * T.norm());
  }
}

TEST(MembraneStress, PureShearPullsAndPushes) {
  // T = s (x yᵀ + y xᵀ) has the principal values ±s.
  const Mat32 F = turned(Mat3::Identity(), 1, 1);
  Mat3 T = Mat3::Zero();
  T(0, 1) = T(1, 0) = 5;
  const PrincipalValues p = principal_values(T, F);
  EXPECT_NEAR(p.max, 5, 1e-14);
  EXPECT_NEAR(p.min, -5, 1e-14);
  EXPECT_EQ(tension(Mat32::Zero(), F), Mat3::Zero());
}

}  // namespace
}  // namespace cutis
