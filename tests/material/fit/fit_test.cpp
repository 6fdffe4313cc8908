#include "cutis/material/fit/fit.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/material/fit/bounded_least_squares.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

/// Equibiaxial, strips and off-axis, as testing machines do them, with the stresses of `truth`.
std::vector<StretchTest> biaxial_tests(const MaterialFit& truth, double largest) {
  std::vector<StretchTest> tests;
  for (const Vec2& way : {Vec2(1, 1), Vec2(1, 0), Vec2(0, 1), Vec2(1, 0.5), Vec2(0.5, 1)}) {
    StretchTest test;
    for (int i = 0; i <= 25; ++i) {
      StretchTest::Point point;
      point.stretch = Vec2::Ones() + (largest - 1) * i / 25 * way;
      point.stress = predicted_stress(truth, test.kind, point);
      test.points.push_back(point);
    }
    tests.push_back(test);
  }
  return tests;
}

MaterialFit sample_skin() {
  MaterialFit truth;
  truth.law.young = 80e3;
  truth.law.poisson = 0.4;
  truth.law.fung_stiffness = 900;
  truth.law.fung_exponent = 8;
  truth.law.fibres = 1;
  truth.law.fibre_linear = 90e3;
  truth.law.fibre_stiffness = 3e3;
  truth.law.fibre_exponent = 5;
  truth.direction = 1.1;
  return truth;
}

void expect_recovered(const MaterialFit& fit, const MaterialFit& truth) {
  EXPECT_LT(fit.residual, 1e-4);
  for (double SkinLaw::*constant :
       {&SkinLaw::young, &SkinLaw::poisson, &SkinLaw::fung_stiffness, &SkinLaw::fung_exponent,
        &SkinLaw::fibre_linear, &SkinLaw::fibre_stiffness, &SkinLaw::fibre_exponent})
    EXPECT_NEAR(fit.law.*constant, truth.law.*constant, 0.01 * truth.law.*constant);
}

TEST(FitMaterial, RecoversSyntheticBiaxialTests) {
  const MaterialFit truth = sample_skin();
  const MaterialFit fit = fit_material(biaxial_tests(truth, 1.4), {});
  expect_recovered(fit, truth);
  // Stresses along the axes alone do not tell a direction from its mirror image.
  EXPECT_NEAR(std::abs(fit.direction), truth.direction, 0.01);
}

TEST(FitMaterial, RecoversTwoFamilies) {
  MaterialFit truth = sample_skin();
  truth.law.fibres = 2;
  truth.law.fibre_angle = 0.5;
  truth.direction = M_PI / 2;
  FitOptions options;
  options.fibres = 2;
  const MaterialFit fit = fit_material(biaxial_tests(truth, 1.4), options);
  expect_recovered(fit, truth);
  EXPECT_NEAR(fit.direction, truth.direction, 1e-12);
  EXPECT_NEAR(fit.law.fibre_angle, truth.law.fibre_angle, 0.01);
}

TEST(FitMaterial, RecoversUniaxialPullsAlongAndAcross) {
  MaterialFit truth = sample_skin();
  truth.law.poisson = 0.5;
  truth.direction = 0;
  std::vector<StretchTest> tests;
  for (double angle : {0.0, 0.7853981633974483, 1.5707963267948966}) {
    StretchTest test;
    test.kind = StretchTest::Kind::Uniaxial;
    for (int i = 0; i <= 30; ++i) {
      StretchTest::Point point;
      point.stretch.x() = 1 + 0.5 * i / 30;
      point.angle = angle;
      point.stress = predicted_stress(truth, test.kind, point);
      test.points.push_back(point);
    }
    tests.push_back(test);
  }
  expect_recovered(fit_material(tests, {}), truth);
}

TEST(FitMaterial, WithoutFibresAnAnisotropicSkinDoesNotFit) {
  FitOptions options;
  options.fibres = 0;
  const MaterialFit fit = fit_material(biaxial_tests(sample_skin(), 1.4), options);
  EXPECT_EQ(fit.law.fibres, 0);
  EXPECT_GT(fit.residual, 0.15);
}

const bool fit_material_bits = test::same_bits("FitMaterial", [] {
  FitOptions options;
  options.starts = 4;
  const MaterialFit fit = fit_material(biaxial_tests(sample_skin(), 1.3), options);
  return std::tuple(fit.law, fit.direction);
});

TEST(FitMaterial, SaysWhatIsMissing) {
  StretchTest test;
  test.points.resize(3);
  EXPECT_THROW(fit_material(std::array{test}, {}), InputError);
  test.points[2].stretch = Vec2(1.2, 1);
  test.points[2].stress = Vec2(1e3, 0);
  try {
    fit_material(std::array{test}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("6 stresses cannot decide 8 constants"));
  }
}

TEST(BoundedLeastSquares, StopsAtTheBoundNearestTheMinimum) {
  LeastSquaresProblem problem;
  problem.low = Eigen::Vector2d(-1, -1);
  problem.high = Eigen::Vector2d(2, 2);
  // Rosenbrock's valley leads to (1, 1); with x at most 0.5 the best is on its floor at y = x².
  problem.residuals = [](const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    r = Eigen::Vector2d(1 - x[0], 10 * (x[1] - x[0] * x[0]));
  };
  LeastSquaresResult found = bounded_least_squares(problem, Eigen::Vector2d(-0.9, 0.8), 200);
  EXPECT_LT((found.x - Eigen::Vector2d(1, 1)).norm(), 1e-6);
  problem.high[0] = 0.5;
  found = bounded_least_squares(problem, Eigen::Vector2d(-0.9, 0.8), 200);
  EXPECT_LT((found.x - Eigen::Vector2d(0.5, 0.25)).norm(), 1e-6);
}

}  // namespace
}  // namespace cutis
