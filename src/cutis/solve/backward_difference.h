#pragma once

namespace cutis {

/// The backward difference of second order (BDF2) for steps of different length: y' = (y - y_n - carry (y_n -
/// y_(n-1))) / step at the end of the step. Without a step before it is implicit Euler's. It is stable for
/// steps that grow by up to 1 + sqrt(2).
struct BackwardDifference {
  double step = 0;   ///< the effective one [s]
  double carry = 0;  ///< share of the last change that goes on
  /// `ratio`: this step over the last one; 0 where there is none.
  BackwardDifference(double dt, double ratio)
      : step(dt * (1 + ratio) / (1 + 2 * ratio)), carry(ratio * ratio / (1 + 2 * ratio)) {}

  /// After a step of `last_step`; 0: none, and then as if there had been one like it. Implicit Euler's where
  /// steps grow too fast.
  static BackwardDifference second_order(double dt, double last_step) {
    const double ratio = last_step > 0 ? dt / last_step : 1;
    return {dt, ratio <= 2 ? ratio : 0};
  }
};

}  // namespace cutis
