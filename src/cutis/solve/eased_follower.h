#pragma once

#include <cmath>

namespace cutis {

/// A value that follows a goal gradually, as a critically damped oscillator does: without a jump of its rate.
/// After 1 / rate seconds a quarter of a sudden change is done, after 5 / rate 96 %.
template <class T>
struct EasedFollower {
  T value, slope;  ///< [1], [1/s]

  /// Exact for a goal g that moves evenly from `from` to `to` during the step: x'' + 2 w x' + w² x = w² g has
  /// the solution x = g - 2 g' / w + y with y(t) = (y0 + (y0' + w y0) t) exp(-w t). `rate` is w [1/s].
  void advance(const T& from, const T& to, double rate, double dt) {
    const double decay = std::exp(-rate * dt);
    const T speed = (to - from) / dt;
    const T away = value - from + 2 / rate * speed, rise = slope - speed;
    const T sum = rise + rate * away;
    value = to - 2 / rate * speed + decay * (away + dt * sum);
    slope = speed + decay * (rise - rate * dt * sum);
  }
};

}  // namespace cutis
