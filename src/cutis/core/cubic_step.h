#pragma once

#include <algorithm>

namespace cutis {

/// 0 below `low`, 1 above `high`, and between them a cubic whose first derivative vanishes at both ends.
inline double cubic_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace cutis
