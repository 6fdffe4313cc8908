#include "cutis/wrinkle/contact/time_of_impact.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace cutis::test {
namespace {

constexpr ContactKind kKinds[] = {ContactKind::PointTriangle, ContactKind::EdgeEdge};

const ContactPoints kAboveATriangle = {Vec3(0.2, 0.2, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
const ContactPoints kCrossedEdges = {Vec3(-1, 0, 1), Vec3(1, 0, 1), Vec3(0, -1, 0), Vec3(0, 1, 0)};

double time_of_impact(ContactKind kind, const ContactPoints& points, const ContactPoints& steps) {
  return sweep_pair(kind, points, steps).time_of_impact;
}

ContactPoints same_steps(const Vec3& first, const Vec3& others, int firsts) {
  ContactPoints steps;
  for (int i = 0; i < 4; ++i) steps[at(i)] = i < firsts ? first : others;
  return steps;
}

TEST(TimeOfImpact, IsNearTheTruthWherePairsMeetHeadOn) {
  for (const double speed : {1.5, 4.0, 100.0}) {
    const double truth = 1 / speed;
    const double point = time_of_impact(ContactKind::PointTriangle, kAboveATriangle,
                                        same_steps(Vec3(0, 0, -speed), Vec3::Zero(), 1));
    const double edges =
        time_of_impact(ContactKind::EdgeEdge, kCrossedEdges, same_steps(Vec3(0, 0, -speed), Vec3::Zero(), 2));
    for (const double time : {point, edges}) {
      EXPECT_LT(time, truth) << speed;
      EXPECT_GT(time, 0.8 * truth) << speed;
    }
  }
}

TEST(TimeOfImpact, IsNearTheTruthWherePairsMeetAslant) {
  const double time = time_of_impact(ContactKind::PointTriangle, kAboveATriangle,
                                     same_steps(Vec3(1, 1, -10), Vec3(0.5, 0.5, 0), 1));
  EXPECT_LT(time, 0.1);
  EXPECT_GT(time, 0.08);
}

TEST(TimeOfImpact, IsAllWherePairsMissEachOtherOrMoveTogether) {
  EXPECT_EQ(time_of_impact(ContactKind::PointTriangle, kAboveATriangle,
                           same_steps(Vec3(-5, 0, -2), Vec3::Zero(), 1)),
            1);
  EXPECT_EQ(
      time_of_impact(ContactKind::EdgeEdge, kCrossedEdges, same_steps(Vec3(7, 3, -50), Vec3(7, 3, -50), 2)),
      1);
  EXPECT_EQ(time_of_impact(ContactKind::EdgeEdge, kCrossedEdges, same_steps(Vec3(0, 0, 9), Vec3::Zero(), 2)),
            1);
}

TEST(TimeOfImpact, IsZeroWhereThePairTouches) {
  ContactPoints touching = kAboveATriangle;
  touching[0].z() = 0;
  EXPECT_EQ(time_of_impact(ContactKind::PointTriangle, touching, same_steps(Vec3(0, 0, -1), Vec3::Zero(), 1)),
            0);
}

/// Random motions, walked through in small steps: no pair is ever nearer than a tenth of where it began, and
/// bounds below one are there because it comes near.
TEST(TimeOfImpact, LeavesATenthOfTheDistance) {
  Random random(5);
  int bounded = 0;
  for (const ContactKind kind : kKinds)
    for (int i = 0; i < 300; ++i) {
      ContactPoints x, steps;
      for (std::size_t k = 0; k < 4; ++k) x[k] = random.in_cube(), steps[k] = 3 * random.in_cube();
      const double start = std::sqrt(squared_distance(kind, x)), time = time_of_impact(kind, x, steps);
      double nearest = start;
      for (int n = 0; n <= 2000; ++n) {
        ContactPoints moved = x;
        for (std::size_t k = 0; k < 4; ++k) moved[k] += time * n / 2000 * steps[k];
        nearest = std::min(nearest, std::sqrt(squared_distance(kind, moved)));
      }
      EXPECT_GE(nearest, 0.0999 * start) << i;
      if (time == 1) continue;
      ++bounded;
      EXPECT_LE(nearest, 0.1501 * start) << i;
    }
  EXPECT_GT(bounded, 50);
}

}  // namespace
}  // namespace cutis::test
