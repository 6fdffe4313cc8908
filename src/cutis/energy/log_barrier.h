#pragma once

#include <cmath>
#include <limits>

#include "cutis/material/scalar_jet.h"

namespace cutis {

/// b(s) = -(s - o)² ln(s / o) for s below the onset o, nothing above: the barrier of Incremental Potential
/// Contact (Li et al. 2020), C2 at the onset, infinite at zero and below.
inline ScalarJet log_barrier(double s, double onset) {
  if (s >= onset) return {};
  if (!(s > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double d = s - onset, log = std::log(s / onset);
  return {-d * d * log, -2 * d * log - d * d / s, -2 * log - 4 * d / s + d * d / (s * s)};
}

/// The same with a quadratic extension below `floor`: finite everywhere, for what may begin on the wrong
/// side.
inline ScalarJet extended_log_barrier(double s, double onset, double floor) {
  if (s >= floor) return log_barrier(s, onset);
  const ScalarJet b = log_barrier(floor, onset);
  const double d = s - floor;
  return {b.value + d * b.first + d * d * b.second / 2, b.first + d * b.second, b.second};
}

}  // namespace cutis
