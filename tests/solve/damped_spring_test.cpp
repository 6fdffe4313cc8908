// A mass on a damped spring: steps in closed form.
#include "cutis/solve/damped_spring.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "cutis/core/types.h"

namespace cutis {
namespace {

/// y'' = -k y - c y' over a time, in very small steps (Runge and Kutta).
Vec2 in_small_steps(const DampedSpring& spring, Vec2 state, double time) {
  const int steps = 20000;
  const double h = time / steps;
  const auto rate = [&](const Vec2& s) {
    return Vec2(s[1], -spring.stiffness * s[0] - spring.damping * s[1]);
  };
  for (int i = 0; i < steps; ++i) {
    const Vec2 a = rate(state), b = rate(state + h / 2 * a), c = rate(state + h / 2 * b),
               d = rate(state + h * c);
    state += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return state;
}

TEST(DampedSpring, TheExactFlowIsThatOfTheEquation) {
  for (const double ratio : {0.0, 0.2, 0.999999999, 1.0, 1.5})
    for (const double frequency : {0.5, 4.0}) {
      const DampedSpring spring = DampedSpring::of(frequency, ratio);
      const Vec2 start(0.3, -1.1), exact = in_small_steps(spring, start, 0.1);
      const SpringFlow flow = exact_flow(spring, 0.1);
      EXPECT_NEAR(flow.place_by_place * start[0] + flow.place_by_speed * start[1], exact[0], 1e-9);
      EXPECT_NEAR(flow.speed_by_place * start[0] + flow.speed_by_speed * start[1], exact[1], 1e-8);
    }
}

TEST(DampedSpring, TheImplicitKickIsBackwardEuler) {
  const DampedSpring spring = DampedSpring::of(3, 0.4);
  const double y = 0.2, v = 1.7, dt = 1.0 / 24;
  // v' = v - dt (k y' + c v'), y' = y + dt v'.
  const double after =
      (v - dt * spring.stiffness * y) / (1 + dt * spring.damping + dt * dt * spring.stiffness);
  EXPECT_NEAR(v + implicit_kick(spring, y + dt * v, v, dt), after, 1e-14);
}

TEST(DampedSpring, AnyStiffnessIsStable) {
  for (const double frequency : {1.0, 1e3, 1e6, 1e9}) {
    const DampedSpring spring = DampedSpring::of(frequency, 1);
    const double dt = 1.0 / 24, kick = implicit_kick(spring, 0.1, 0, dt), left = 0.1 + dt * kick;
    EXPECT_GE(left, 0);
    EXPECT_LT(left, 0.1);
    if (frequency >= 1e6) {
      EXPECT_LT(left, 1e-6);
    }
  }
}

}  // namespace
}  // namespace cutis
