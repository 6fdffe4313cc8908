#include "cutis/solve/backward_difference.h"

#include <cmath>

#include <gtest/gtest.h>

namespace cutis {
namespace {

/// The slope at the end of a step of dt after one of `last`.
double slope(double (*y)(double), double at, double dt, double last) {
  const BackwardDifference by = BackwardDifference::second_order(dt, last);
  const double now = y(at), before = y(at - dt), long_before = y(at - dt - last);
  return (now - before - by.carry * (before - long_before)) / by.step;
}

TEST(BackwardDifference, IsExactForParabolasWhateverTheStepsAre) {
  const auto parabola = [](double t) { return 3 * t * t - 2 * t + 1; };
  for (double last : {0.05, 0.1, 0.2, 1.0}) EXPECT_NEAR(slope(parabola, 0.7, 0.1, last), 6 * 0.7 - 2, 1e-12);
}

TEST(BackwardDifference, IsOfSecondOrderAfterACut) {
  const auto sine = [](double t) { return std::sin(t); };
  const auto error = [&](double dt) { return std::abs(slope(sine, 1, dt, 2 * dt) - std::cos(1)); };
  EXPECT_NEAR(error(0.02) / error(0.01), 4, 0.1);
}

TEST(BackwardDifference, IsImplicitEulersWhereStepsGrowTooFast) {
  EXPECT_EQ(BackwardDifference::second_order(0.3, 0.1).carry, 0);
  EXPECT_EQ(BackwardDifference::second_order(0.3, 0.1).step, 0.3);
}

}  // namespace
}  // namespace cutis
