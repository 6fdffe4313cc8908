// The paper's claim of stability under motion, as docs/force-density.md reports it.
#include <numbers>

#include <gtest/gtest.h>

#include "support/stability.h"

namespace cutis::test {
namespace {

constexpr double degree = std::numbers::pi / 180;

struct Figures {
  double cone = 0, disturbance = 0;  ///< means over the directions
};

Figures figures(const StabilityExperiment& experiment, LayoutMethod method, double angle) {
  Figures result;
  for (int d = 0; d < StabilityExperiment::directions; ++d) {
    const Layout layout = experiment.layout(method, experiment.turned_by(angle, d));
    result.cone += experiment.cone(method, layout) / StabilityExperiment::directions;
    result.disturbance += experiment.disturbance(method, layout) / StabilityExperiment::directions;
  }
  return result;
}

TEST(ForceDensityStability, HarmonicLayoutsFollowMoreSteadilyThanUnitForces) {
  const StabilityExperiment experiment;
  for (double angle : {5.0, 20.0, 30.0, 40.0}) {
    const Figures unit = figures(experiment, LayoutMethod::ForceDensity, angle * degree);
    for (LayoutMethod method : {LayoutMethod::Harmonic, LayoutMethod::Cutis}) {
      const Figures other = figures(experiment, method, angle * degree);
      EXPECT_LT(other.cone, unit.cone) << angle;
      EXPECT_LT(other.disturbance, unit.disturbance) << angle;
    }
  }
  EXPECT_GT(figures(experiment, LayoutMethod::ForceDensity, 40 * degree).cone, 120 * degree);
  EXPECT_LT(figures(experiment, LayoutMethod::Cutis, 40 * degree).cone, 45 * degree);
}

TEST(ForceDensityStability, SmallTurnsAreFollowedByAllThatAreLinear) {
  const StabilityExperiment experiment;
  for (LayoutMethod method : {LayoutMethod::Harmonic, LayoutMethod::MeanValue, LayoutMethod::Cutis})
    EXPECT_LT(figures(experiment, method, 5 * degree).cone, 1 * degree);
}

}  // namespace
}  // namespace cutis::test
