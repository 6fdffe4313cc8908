#include "cutis/solve/damped_spring.h"

#include <cmath>

#include "cutis/core/types.h"

namespace cutis {

DampedSpring DampedSpring::of(double frequency, double damping_ratio) {
  const double omega = 2 * pi * frequency;
  return {omega * omega, 2 * damping_ratio * omega};
}

double DampedSpring::angular_frequency() const { return std::sqrt(stiffness); }

double implicit_kick(const DampedSpring& spring, double away, double speed, double dt) {
  return -dt * (spring.stiffness * away + spring.damping * speed) /
         (1 + dt * spring.damping + dt * dt * spring.stiffness);
}

/// With a = c / 2 and w² = k - a², y(t) = exp(-a t) (y0 C + (v0 + a y0) S), where C = cos wt and S = sin wt /
/// w below the critical damping, cosh and sinh above it.
SpringFlow exact_flow(const DampedSpring& spring, double dt) {
  const double a = spring.damping / 2, squared = spring.stiffness - a * a;
  const double w = std::sqrt(std::abs(squared)), angle = w * dt;
  double C = 1, S = dt;
  if (angle > 1e-8) {
    C = squared > 0 ? std::cos(angle) : std::cosh(angle);
    S = (squared > 0 ? std::sin(angle) : std::sinh(angle)) / w;
  }
  const double decay = std::exp(-a * dt);
  const double place = decay * (C + a * S), by_speed = decay * S, k = spring.stiffness;
  // The integral of `by_speed` over the step; of its series where the closed form is a difference of equals.
  const double by_force = k * dt * dt > 1e-8 ? (1 - place) / k : dt * dt / 2 * (1 - spring.damping * dt / 3);
  return {place, by_speed, by_force, -k * by_speed, decay * (C - a * S), by_speed};
}

}  // namespace cutis
