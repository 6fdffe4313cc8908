#include "cutis/material/membrane/viscous.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "cutis/material/membrane/plane_stress.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/surface/mesh/deformation.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

constexpr double kYoung = 2e4, kPoisson = 0.35, kViscosity = 400;  // Pa, 1, Pa s
constexpr double kLoad = 1500;                                     // second Piola-Kirchhoff stress [Pa]

Mat32 random_F(test::Random& random) {
  Mat32 F;
  F << random.in_cube() * 0.4 + Vec3::UnitX(), random.in_cube() * 0.4 + Vec3::UnitY();
  return F;
}

TEST(Viscous, DerivativesAndProjection) {
  test::Random random(31);
  int negative = 0;
  for (int i = 0; i < 30; ++i) {
    const Viscous viscous{kViscosity, 0.01};
    const Mat32 F = random_F(random), before_F = random_F(random);
    const Mat2 before = green_strain(before_F);
    const MembraneResponse r = viscous.evaluate(F, before, kExact);
    const double size = r.hessian.norm();
    EXPECT_NEAR(r.energy, viscous.energy(F, before), 1e-12 * size);
    Mat32 d;
    d << random.in_cube(), random.in_cube();
    double gradient_error = INFINITY, hessian_error = INFINITY;
    for (double h = 1e-2; h > 1e-7; h /= 4) {
      const double slope = (viscous.energy(F + h * d, before) - viscous.energy(F - h * d, before)) / (2 * h);
      gradient_error = std::min(gradient_error, std::abs(slope - (r.stress.array() * d.array()).sum()));
      const Mat32 change = (viscous.evaluate(F + h * d, before, kExact).stress -
                            viscous.evaluate(F - h * d, before, kExact).stress) /
                           (2 * h);
      const Vec6 predicted = r.hessian * Eigen::Map<const Vec6>(d.data());
      hessian_error = std::min(hessian_error, (Eigen::Map<const Vec6>(change.data()) - predicted).norm());
    }
    EXPECT_LT(gradient_error, 1e-9 * size);
    EXPECT_LT(hessian_error, 1e-8 * size);
    const Mat6 projected = viscous.evaluate(F, before, kProjected).hessian;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat6>(projected).eigenvalues().minCoeff(), -1e-12 * size);
    const bool convex =
        Eigen::SelfAdjointEigenSolver<Mat2>(Mat2(green_strain(F) - before)).eigenvalues()[0] >= 0;
    negative += !convex;
    EXPECT_EQ(convex, (projected - r.hessian).norm() < 1e-12 * size);
  }
  EXPECT_GT(negative, 5);
  EXPECT_LT(negative, 30);
}

TEST(Viscous, NeitherTurningNorRestingMakesStress) {
  test::Random random(32);
  const Viscous viscous{kViscosity, 0.01};
  const Mat32 F = random_F(random);
  const Mat3 turn = Eigen::AngleAxisd(1, random.in_cube().normalized()).toRotationMatrix();
  EXPECT_LT(viscous.evaluate(turn * F, green_strain(F), kExact).stress.norm(), 1e-9);
}

/// A strip under a constant load for one second in steps of dt: each minimises elastic + viscous - load e_xx.
double crept(double dt) {
  SkinLaw law;
  law.model = MaterialModel::StVenantKirchhoff;
  law.young = kYoung;
  law.poisson = kPoisson;
  const auto material = make_material(law);
  const Viscous viscous{kViscosity, dt};
  Mat32 F = Mat32::Identity();
  for (int step = 0; step < std::lround(0.05 / dt); ++step) {
    const Mat2 before = green_strain(F);
    for (int newton = 0; newton < 30; ++newton) {
      const MembraneResponse e = material->evaluate(F, kExact);
      const MembraneResponse v = viscous.evaluate(F, before, kExact);
      Mat6 H = e.hessian + v.hessian;
      H.topLeftCorner<3, 3>().diagonal().array() -= kLoad;
      Mat32 g = e.stress + v.stress;
      g.col(0) -= kLoad * F.col(0);
      // The strip stays in its axes: only F_xx and F_yy move.
      Mat2 K;
      K << H(0, 0), H(0, 4), H(4, 0), H(4, 4);
      const Vec2 d = K.inverse() * Vec2(g(0, 0), g(1, 1));
      F(0, 0) -= d.x();
      F(1, 1) -= d.y();
    }
  }
  return green_strain(F)(0, 0);
}

TEST(Viscous, CreepsAsKelvinAndVoigtSay) {
  // In Green strain the law is linear, so that sum and difference of the strains creep apart from each other:
  // S = 2 (lambda + mu) e_sum + eta e_sum', S = 2 mu e_difference + eta e_difference'.
  const PlaneStress lame = plane_stress(kYoung, kPoisson);
  const double time = 0.05;
  const auto exact = [&](double modulus) {
    return kLoad / modulus * (1 - std::exp(-modulus * time / kViscosity));
  };
  const double closed = (exact(2 * (lame.lambda + lame.mu)) + exact(2 * lame.mu)) / 2;
  const auto stepped = [&](double modulus, double dt) {  // backward Euler in closed form
    return kLoad / modulus * (1 - std::pow(1 + modulus * dt / kViscosity, -std::round(time / dt)));
  };
  for (double dt : {0.01, 0.0025})
    EXPECT_NEAR(crept(dt), (stepped(2 * (lame.lambda + lame.mu), dt) + stepped(2 * lame.mu, dt)) / 2, 1e-12);
  // First order in the step, and 0.1 % at 0.1 ms.
  const double coarse = std::abs(crept(1e-3) - closed), fine = std::abs(crept(5e-4) - closed);
  EXPECT_NEAR(coarse / fine, 2, 0.05);
  EXPECT_NEAR(crept(1e-4), closed, 1e-3 * closed);
}

}  // namespace
}  // namespace cutis
