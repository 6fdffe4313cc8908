#include "cutis/material/solid/solid_viscous.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/material/solid/flesh_law.h"
#include "cutis/material/solid/green_strain.h"
#include "cutis/material/solid/lame.h"
#include "cutis/material/solid/solid_material.h"
#include "material/solid/deformations.h"

namespace cutis {
namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;

Vec9 vec(const Mat3& m) { return Eigen::Map<const Vec9>(m.data()); }

Mat3 near_rest(test::Random& random) { return Mat3::Identity() + 0.4 * test::random_matrix(random); }

Mat9 hessian(const ViscousModes& modes) {
  Mat9 out;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) out.block<3, 3>(3 * a, 3 * b) = modes.block(Vec3::Unit(a), Vec3::Unit(b));
  return out;
}

TEST(SolidViscous, Derivatives) {
  test::Random random(31);
  const SolidViscous viscous{400, 0.01};
  for (int i = 0; i < 40; ++i) {
    Mat3 F = near_rest(random);
    if (i % 4 == 0) F.col(0) = i % 8 == 0 ? Vec3(-F.col(0)) : F.col(1);  // inverted, flat
    const Mat3 before = green_strain(near_rest(random)), d = test::random_matrix(random);
    const ViscousModes r = viscous.evaluate(F, before);
    const Mat9 H = hessian(r);
    double gradient_error = INFINITY, hessian_error = INFINITY;
    for (double h = 1e-2; h > 1e-7; h /= 4) {
      const double slope = (viscous.energy(F + h * d, before) - viscous.energy(F - h * d, before)) / (2 * h);
      gradient_error = std::min(gradient_error, std::abs(slope - r.stress.cwiseProduct(d).sum()));
      // With no strain in the step yet there is no stress, and Gauss-Newton's Hessian is the Hessian.
      const Mat3 here = green_strain(F);
      const Mat3 change =
          (viscous.evaluate(F + h * d, here).stress - viscous.evaluate(F - h * d, here).stress) / (2 * h);
      hessian_error = std::min(hessian_error, (vec(change) - H * vec(d)).norm());
    }
    EXPECT_LT(gradient_error, 1e-9 * H.norm());
    EXPECT_LT(hessian_error, 1e-8 * H.norm());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat9>(H).eigenvalues().minCoeff(), -1e-12 * H.norm());
  }
}

TEST(SolidViscous, NeitherTurningNorRestingMakesStress) {
  test::Random random(32);
  const SolidViscous viscous{400, 0.01};
  const Mat3 F = near_rest(random);
  const Mat3 turned = test::random_rotation(random) * F;
  EXPECT_LT(viscous.evaluate(turned, green_strain(F)).stress.norm(), 1e-9);
  EXPECT_LT(viscous.energy(turned, green_strain(F)), 1e-20);
}

/// Minimises W + R over F from `start` by Newton's method.
Mat3 relaxed(const SolidMaterial& material, const SolidViscous& viscous, const Mat3& start) {
  const Mat3 before = green_strain(start);
  const auto objective = [&](const Mat3& F) { return material.energy(F) + viscous.energy(F, before); };
  Mat3 F = start;
  for (int i = 0; i < 40; ++i) {
    const SolidResponse e = material.evaluate(F, kProjected);
    const ViscousModes v = viscous.evaluate(F, before);
    const Vec9 g = vec(e.stress + v.stress);
    // The six strains are determined; the turn is held by the small multiple of the identity.
    const Mat9 H = e.hessian + hessian(v);
    const Vec9 d = -(H + 1e-9 * H.norm() * Mat9::Identity()).ldlt().solve(g);
    const Mat3 D = Eigen::Map<const Mat3>(d.data());
    double length = 1;
    while (length > 1e-6 && objective(F + length * D) > objective(F)) length /= 2;
    F += length * D;
  }
  return F;
}

TEST(SolidViscous, DissipatesInEveryStep) {
  // Phases with damping of their own, evaluated where the step starts: elastic energy only ever falls, and by
  // at least what the potential holds.
  FleshLaw law;
  law.young = 5e3;
  law.poisson = 0.4;
  law.viscosity = 20;
  law.phases = {FleshPhase{5e4, 0.1, 0.102, VolumePhase{0.45, 0.05, 0.06}, 500}};
  const auto material = make_material(law);
  test::Random random(33);
  for (int i = 0; i < 20; ++i) {
    Mat3 F = near_rest(random);
    for (int step = 0; step < 10; ++step) {
      const SolidViscous viscous{viscosity(law, F), 0.004};
      const Mat3 next = relaxed(*material, viscous, F);
      const double dissipated = viscous.energy(next, green_strain(F));
      EXPECT_GE(dissipated, 0);
      EXPECT_LE(material->energy(next) + dissipated, material->energy(F) + 1e-12 * law.young);
      F = next;
    }
  }
}

TEST(SolidViscous, SmallShearRelaxesAtTheRateOfItsModulus) {
  // Kelvin-Voigt: 2 mu e + eta e' = 0, by backward Euler e falls by 1 + 2 mu dt / eta in each step.
  FleshLaw law;
  law.model = FleshModel::Corotated;
  law.young = 3e3;
  law.poisson = 0.3;
  const auto material = make_material(law);
  const SolidViscous viscous{40, 0.002};
  Mat3 F = Mat3::Identity();
  F(0, 1) = F(1, 0) = 1e-4;
  for (int step = 0; step < 5; ++step) F = relaxed(*material, viscous, F);
  const double expected =
      1e-4 * std::pow(1 + 2 * lame(law.young, law.poisson).mu * viscous.dt / viscous.viscosity, -5);
  EXPECT_NEAR(0.5 * (F(0, 1) + F(1, 0)), expected, 1e-3 * expected);
}

}  // namespace
}  // namespace cutis
