// What single laws of flesh promise beyond the checks of the registry.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/material/biphasic_ramp.h"
#include "cutis/material/solid/flesh_law.h"
#include "cutis/material/solid/lame.h"
#include "cutis/material/solid/solid_material.h"
#include "material/solid/deformations.h"

namespace cutis {
namespace {

FleshLaw flesh(FleshModel model) {
  FleshLaw law;
  law.model = model;
  law.young = 6e3;
  law.poisson = 0.3;
  return law;
}

Mat3 bar(double along, double across) { return Vec3(along, across, across).asDiagonal(); }

/// The width that a bar of this length takes when nothing acts on its sides.
double free_width(const SolidMaterial& material, double along) {
  double narrow = 0.2, wide = 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (narrow + wide);
    (material.stress(bar(along, middle)).stress(1, 1) < 0 ? narrow : wide) = middle;
  }
  return 0.5 * (narrow + wide);
}

TEST(StableNeoHookean, IsEquationFourteenWithTheSolvedConstants) {
  const FleshLaw law = flesh(FleshModel::StableNeoHookean);
  const Lame rest = lame(law.young, law.poisson);
  const double mu = 4 * rest.mu / 3, lambda = rest.lambda + 5 * rest.mu / 6;
  const double alpha = 1 + mu / lambda - mu / (4 * lambda);
  const auto equation = [&](const Mat3& F) {
    const double I = F.squaredNorm(), J = F.determinant();
    return mu / 2 * (I - 3) + lambda / 2 * (J - alpha) * (J - alpha) - mu / 2 * std::log(I + 1);
  };
  const auto material = make_material(law);
  test::Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Mat3 F = 1.5 * test::random_matrix(random);
    EXPECT_NEAR(material->energy(F), equation(F) - equation(Mat3::Identity()), 1e-11 * law.young);
  }
}

TEST(StableNeoHookean, LeavesAPoint) {
  // F = 0 is no minimum: growing evenly from there lowers the energy at once.
  const auto material = make_material(flesh(FleshModel::StableNeoHookean));
  EXPECT_EQ(material->stress(Mat3::Zero()).stress, Mat3::Zero());
  double before = material->energy(Mat3::Zero());
  for (double s : {1e-3, 1e-2, 0.1, 0.5, 0.9}) {
    const double now = material->energy(s * Mat3::Identity());
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(BiphasicFlesh, ABarHasItsClosedForm) {
  // Sides of a co-rotated bar that are still soft narrow by nu; the bar pulls with E (s - 1) and the ramp.
  FleshLaw law = flesh(FleshModel::Corotated);
  law.phases = {FleshPhase{9e4, 0.1, 0.2, {}, 0}};
  const auto material = make_material(law);
  const double first = std::exp(0.1), last = std::exp(0.2), width = last - first;
  for (double s : {1.05, 1.1, 1.13, 1.2, std::exp(0.2), 1.3}) {
    double ramp = 0;
    if (s > first) {
      const double x = std::min((s - first) / width, 1.0);
      ramp = width * x * x * x * (1 - x / 2) + std::max(0.0, s - last);
    }
    const double across = free_width(*material, s);
    EXPECT_NEAR(across, 1 - law.poisson * (s - 1), 1e-12);
    EXPECT_NEAR(material->stress(bar(s, across)).stress(0, 0), law.young * (s - 1) + (9e4 - law.young) * ramp,
                1e-10 * 9e4)
        << s;
  }
  // Compressed as well; and its tangent in the stiff phase is the phase's own modulus.
  const auto force = [&](double s) {
    return material->stress(bar(s, free_width(*material, s))).stress(0, 0);
  };
  for (double s : {1.25, 1.3, 0.78, 0.76})
    EXPECT_NEAR((force(s + 1e-4) - force(s - 1e-4)) / 2e-4, 9e4, 1e-6 * 9e4) << s;
}

TEST(BiphasicFlesh, SwellingHasItsClosedForm) {
  FleshLaw law = flesh(FleshModel::Corotated);
  law.phases = {FleshPhase{law.young, 0.1, 0.2, VolumePhase{0.45, 0.05, 0.06}, 0}};
  const auto material = make_material(law);
  const Lame soft = lame(law.young, law.poisson), stiff = lame(law.young, 0.45);
  const BiphasicRamp ramp(stiff.lambda - soft.lambda, 0.05, 0.06);
  for (double s : {0.9, 1.01, 1.018, 1.0195, 1.05, 1.3}) {
    const double expected = (2 * soft.mu + 3 * soft.lambda) * (s - 1) + ramp.jet(s * s * s).first * s * s;
    EXPECT_NEAR(material->stress(s * Mat3::Identity()).stress(1, 1), expected, 1e-9 * law.young) << s;
  }
}

TEST(BiphasicFlesh, VolumePhaseRaisesPoissonsRatio) {
  // - d ln across / d ln along of a bar that is pulled: 0.3 while its volume changes little, then near 0.49.
  for (FleshModel model : {FleshModel::StableNeoHookean, FleshModel::Corotated}) {
    FleshLaw law = flesh(model);
    law.phases = {FleshPhase{law.young, 0.1, 0.2, VolumePhase{0.49, 0.02, 0.03}, 0}};
    const auto material = make_material(law);
    const auto ratio = [&](double s) {
      const double h = 1e-4;
      return -std::log(free_width(*material, s + h) / free_width(*material, s - h)) /
             std::log((s + h) / (s - h));
    };
    EXPECT_NEAR(ratio(1.01), 0.3, 0.02);
    EXPECT_GT(ratio(1.3), 0.45);
    EXPECT_LT(ratio(1.3), 0.5);
  }
}

TEST(BiphasicFlesh, PhasesStack) {
  // The tangent of a bar steps from modulus to modulus; Poisson's ratio 0 keeps its sides at rest.
  FleshLaw law = flesh(FleshModel::Corotated);
  law.poisson = 0;
  law.phases = {FleshPhase{2e4, 0.1, 0.101, {}, 0}, FleshPhase{5e4, 0.2, 0.21, {}, 0},
                FleshPhase{3e5, 0.4, 0.45, {}, 0}};
  const auto material = make_material(law);
  for (const auto& [measure, young] :
       {std::pair(0.05, 6e3), std::pair(0.15, 2e4), std::pair(0.3, 5e4), std::pair(0.5, 3e5)})
    for (double sign : {1.0, -1.0})
      EXPECT_NEAR(material->evaluate(bar(std::exp(sign * measure), 1), kExact).hessian(0, 0), young,
                  1e-8 * young);
}

TEST(BiphasicRamp, IsAParabolaThroughCollapseAndBeyond) {
  const BiphasicRamp ramp(1000, 0.1, 0.3);
  const ScalarJet flat = ramp.jet(0);
  for (double s : {std::exp(-0.3), 0.2, -0.01, -1.0, -5.0}) {
    const ScalarJet jet = ramp.jet(s), parabola = quadratic_extension(flat, s);
    EXPECT_NEAR(jet.value, parabola.value, 1e-12 * (1 + jet.value));
    EXPECT_NEAR(jet.first, parabola.first, 1e-12 * (1 + std::abs(jet.first)));
    EXPECT_NEAR(jet.second, 1000, 1e-9);
    EXPECT_LT(jet.first, 0);
  }
}

/// The mean of w'' between a and b, by Gauss's rule of two points over many cells.
double mean_curvature(const BiphasicRamp& ramp, double a, double b) {
  constexpr int kCells = 4000;
  double sum = 0;
  for (int i = 0; i < kCells; ++i)
    for (double x : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)})
      sum += ramp.jet(a + (b - a) * (i + 0.5 + 0.5 * x) / kCells).second;
  return sum / (2 * kCells);
}

TEST(BiphasicRamp, DividedDifferenceKeepsItsDigitsHoweverCloseTheStretches) {
  // A ramp one percent wide: its knots lie at exp(±0.2) and exp(±0.202).
  const BiphasicRamp ramp(1, 0.2, 0.202);
  for (double a :
       {0.7, std::exp(-0.202), 0.8177, std::exp(-0.2), 1.0, std::exp(0.2), 1.2225, std::exp(0.202), 1.4})
    for (double apart : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2}) {
      const double expected = mean_curvature(ramp, a, a + apart);
      EXPECT_NEAR(ramp.divided_difference(a, a + apart), expected, 1e-9) << a << " " << apart;
      EXPECT_NEAR(ramp.divided_difference(a + apart, a), expected, 1e-9) << a << " " << apart;
    }
}

TEST(FleshLaw, ViscosityGrowsWithThePhase) {
  FleshLaw law = flesh(FleshModel::StableNeoHookean);
  law.viscosity = 5;
  EXPECT_EQ(viscosity(law, bar(1.5, 1)), 5);
  law.phases = {FleshPhase{1e4, 0.1, 0.2, {}, 30}, FleshPhase{1e5, 0.3, 0.4, {}, 200}};
  EXPECT_EQ(viscosity(law, bar(1, std::exp(0.1) - 1e-9)), 5);
  EXPECT_NEAR(viscosity(law, bar(std::exp(-0.15), 1)), 20, 1e-9);
  EXPECT_NEAR(viscosity(law, bar(1, std::exp(0.25))), 35, 1e-9);
  EXPECT_NEAR(viscosity(law, Mat3::Zero()), 235, 1e-9);
  EXPECT_NEAR(viscosity(law, bar(-1.05, 1)), 5, 1e-9);
}

TEST(FleshLaw, NamesEveryConstantThatIsOutOfRange) {
  FleshLaw law = flesh(FleshModel::StableNeoHookean);
  law.poisson = 0.5;
  law.viscosity = -1;
  law.phases = {FleshPhase{1e3, 0.2, 0.1, VolumePhase{0.2, 0.1, NAN}, -3}};
  try {
    make_material(law);
    FAIL();
  } catch (const InputError& error) {
    for (const char* key :
         {"poisson = 0.5", "viscosity = -1", "phases[0].young = 1000", "phases[0].end = 0.1",
          "phases[0].volume.poisson = 0.2", "phases[0].volume.end = nan", "phases[0].added_viscosity = -3"})
      EXPECT_THAT(error.what(), testing::HasSubstr(key));
  }
}

}  // namespace
}  // namespace cutis
