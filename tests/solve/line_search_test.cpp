#include "cutis/solve/line_search.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace cutis::test {
namespace {

/// (1 - f)² along a step whose whole length leads to the minimum: slope -2.
double bowl(double factor) { return (1 - factor) * (1 - factor); }

TEST(LineSearch, TakesTheLargestStepWhereThatLowersTheEnergy) {
  const LineSearchResult found = backtrack({.energy = 1, .slope = -2, .max_step_size = 0.75}, bowl);
  EXPECT_TRUE(found.decreases);
  EXPECT_EQ(found.step_size, 0.75);
  EXPECT_EQ(found.energy, bowl(0.75));
  EXPECT_EQ(found.cuts, 0);
}

TEST(LineSearch, HalvesPastWhatIsNotAllowed) {
  std::vector<double> tried;
  const LineSearchResult found = backtrack({.energy = 1, .slope = -2}, [&](double factor) {
    tried.push_back(factor);
    if (factor == 1) return std::numeric_limits<double>::infinity();
    return factor == 0.5 ? std::numeric_limits<double>::quiet_NaN() : bowl(factor);
  });
  EXPECT_TRUE(found.decreases);
  EXPECT_EQ(found.cuts, 2);
  EXPECT_EQ(tried, (std::vector{1.0, 0.5, 0.25}));
}

TEST(LineSearch, AsksForAShareOfTheSlopeAndForgivesRounding) {
  const auto flat = [](double) { return 1.0; };
  EXPECT_FALSE(backtrack({.energy = 1, .slope = -2, .min_step_size = 1e-3}, flat).decreases);
  EXPECT_TRUE(backtrack({.energy = 1, .slope = -2, .min_step_size = 1e-3, .rounding = 1e-3}, flat).decreases);
}

TEST(LineSearch, EndsAtTheSmallestStep) {
  std::vector<double> tried;
  const LineSearchResult found =
      backtrack({.energy = 1, .slope = -2, .min_step_size = 0.1}, [&](double factor) {
        tried.push_back(factor);
        return 2 - factor;
      });
  EXPECT_FALSE(found.decreases);
  EXPECT_EQ(tried, (std::vector{1.0, 0.5, 0.25, 0.125}));
  EXPECT_EQ(found.step_size, 0.125);
  EXPECT_EQ(found.energy, 2 - 0.125);
  EXPECT_EQ(found.cuts, 4);
}

}  // namespace
}  // namespace cutis::test
