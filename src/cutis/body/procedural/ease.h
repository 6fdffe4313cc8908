#pragma once

#include <algorithm>

namespace cutis {

/// 0 below `low`, 1 above `high`, and between them a quintic whose first and second derivatives vanish at
/// both ends; steepest in the middle, at 1.875 / (high - low).
inline double smooth_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * t * (t * (6 * t - 15) + 10);
}

/// 0 at both ends of `seconds`, 1 in the middle.
inline double there_and_back(double time, double seconds) {
  return smooth_step(0, seconds / 2, time) - smooth_step(seconds / 2, seconds, time);
}

/// 1, but eased in from 0 and out to 0 within `ramp` at the ends of `seconds`.
inline double fade_in_and_out(double time, double seconds, double ramp) {
  return smooth_step(0, ramp, time) - smooth_step(seconds - ramp, seconds, time);
}

}  // namespace cutis
