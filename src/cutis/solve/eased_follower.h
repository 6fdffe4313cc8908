#pragma once

#include <cmath>

namespace cutis {

/// A value that follows a goal gradually, as a critically damped oscillator does: without a jump of its rate.
/// After 1 / rate seconds a quarter of a sudden change is done, after 5 / rate 96 %.
template <class T>
struct EasedFollower {
  T value, slope;  ///< [1], [1/s]

  /// With y = value - goal: y'' + 2 w y' + w² y = 0, so y(t) = (y0 + (y0' + w y0) t) exp(-w t). The goal is
  /// taken to hold still during the step. `rate` is w [1/s].
  void advance(const T& goal, double rate, double dt) {
    const double decay = std::exp(-rate * dt);
    const T away = value - goal;
    const T sum = slope + rate * away;
    value = goal + decay * (away + dt * sum);
    slope = decay * (slope - rate * dt * sum);
  }
};

}  // namespace cutis
