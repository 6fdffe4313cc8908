#pragma once

#include <vector>

#include "cutis/core/types.h"

namespace cutis {

/// A moment and what it counts in a sum.
struct TimeSample {
  double time = 0;    ///< [s]
  double weight = 0;  ///< [1/s]
};

/// Moments whose weighted sum is the derivative of a motion at `time`: five around it, moved to where all of
/// them are within the motion, and the polynomial through them (Lagrange). None where it holds still.
std::vector<TimeSample> derivative_samples(const Interval& moves, double time);

}  // namespace cutis
