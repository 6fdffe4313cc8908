#pragma once

namespace cutis {

/// A damped spring of no length that pulls on a mass: y'' + damping y' + stiffness y = 0.
struct DampedSpring {
  double stiffness = 0;  ///< per mass [1/s²]
  double damping = 0;    ///< per mass [1/s]

  /// With this natural frequency [Hz] and this share of the critical damping.
  static DampedSpring of(double frequency, double damping_ratio);
  double angular_frequency() const;  ///< without its damping [rad/s]
};

/// How the velocity changes over a fully implicit step of a mass that has already moved by itself to `away`
/// from where the spring pulls it [m], at `speed` [m/s]; its place changes by `dt` times that. In closed form
/// (backward Euler), for any stiffness up to infinity: the spring never bounds the step.
///
/// With y' = y + dt dv and v' = v + dv, v' = v - dt (k y' + c v') gives
///   dv = -dt (k y + c v) / (1 + dt c + dt² k).
double implicit_kick(const DampedSpring& spring, double away, double speed, double dt);

/// The exact motion over a step under a constant acceleration a, which is linear: y after it is
/// place_by_place y + place_by_speed v + place_by_force a, and its speed alike.
struct SpringFlow {
  double place_by_place = 1, place_by_speed = 0, place_by_force = 0;  ///< [1], [s], [s²]
  double speed_by_place = 0, speed_by_speed = 1, speed_by_force = 0;  ///< [1/s], [1], [s]
};
SpringFlow exact_flow(const DampedSpring& spring, double dt);

}  // namespace cutis
