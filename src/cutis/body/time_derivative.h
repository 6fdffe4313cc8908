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

/// How fast what `positions` gives at a time changes there [m/s].
template <class F>
auto rate_of_change(const F& positions, double time, const Interval& moves) {
  auto out = positions(time);
  for (Vec3& rate : out) rate.setZero();
  for (const auto& [moment, weight] : derivative_samples(moves, time)) {
    const auto there = positions(moment);
    for (std::size_t i = 0; i < out.size(); ++i) out.raw()[i] += weight * there.raw()[i];
  }
  return out;
}

}  // namespace cutis
