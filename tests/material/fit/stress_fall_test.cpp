#include "cutis/material/fit/stress_fall.h"

#include <gtest/gtest.h>

namespace cutis {
namespace {

StretchTest pull(std::initializer_list<Vec2> stretch_and_stress) {
  StretchTest test{"pull", StretchTest::Kind::Uniaxial, {}};
  for (const Vec2& p : stretch_and_stress) test.points.push_back({Vec2(p.x(), 1), Vec2(p.y(), 0), 0});
  return test;
}

TEST(StressFall, NamesThePeakAndTheFirstPointBelowIt) {
  const auto fall = find_stress_fall(pull({{1, 0}, {1.1, 5}, {1.2, 10}, {1.25, 9.5}, {1.3, 8}, {1.4, 2}}));
  ASSERT_TRUE(fall);
  EXPECT_EQ(fall->axis, 0);
  EXPECT_EQ(fall->before, 2u);
  EXPECT_EQ(fall->after, 4u);
}

TEST(StressFall, OnTheWayBackTheSmallerStretchComesLater) {
  const auto fall = find_stress_fall(pull({{1.4, 10}, {1.3, 5}, {1.2, 8}, {1.1, 2}}));
  ASSERT_TRUE(fall);
  EXPECT_EQ(fall->before, 2u);
  EXPECT_EQ(fall->after, 1u);
}

TEST(StressFall, NoiseSlackAndHoldsAreNone) {
  EXPECT_FALSE(find_stress_fall(pull({{1, 0}, {1.1, 5}, {1.2, 4.2}, {1.3, 10}})));
  // Unloads below the way up, and is pulled again.
  EXPECT_FALSE(find_stress_fall(
      pull({{1, 0}, {1.1, 4}, {1.2, 10}, {1.19, 6}, {1.1, 1}, {1, 0}, {1.1, 3}, {1.2, 9}, {1.3, 16}})));
  // Relaxes while it is held, with a jittering gauge.
  EXPECT_FALSE(find_stress_fall(pull({{1, 0}, {1.2, 10}, {1.201, 8}, {1.199, 7}, {1.202, 6}})));
}

TEST(StressFall, PullsAtOtherAnglesAreOtherPulls) {
  StretchTest test = pull({{1, 0}, {1.1, 8}, {1.2, 10}, {1.2, 1}, {1.3, 2}});
  EXPECT_TRUE(find_stress_fall(test));
  for (std::size_t i = 3; i < 5; ++i) test.points[i].angle = 1;
  EXPECT_FALSE(find_stress_fall(test));
}

TEST(StressFall, SeesEitherAxisOfASheet) {
  StretchTest test{"sheet", StretchTest::Kind::Biaxial, {}};
  for (int i = 0; i < 6; ++i) test.points.push_back({Vec2(1 + 0.1 * i, 1 + 0.05 * i), Vec2(i, 2 * i), 0});
  EXPECT_FALSE(find_stress_fall(test));
  test.points[5].stress.y() = 3;
  const auto fall = find_stress_fall(test);
  ASSERT_TRUE(fall);
  EXPECT_EQ(fall->axis, 1);
  EXPECT_EQ(fall->after, 5u);
  // Let go along x, it may hold less along y.
  test.points[5].stretch.x() = 1;
  test.points[5].stress.x() = 4;
  EXPECT_FALSE(find_stress_fall(test));
}

}  // namespace
}  // namespace cutis
