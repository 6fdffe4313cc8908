#pragma once

#include <cmath>

namespace cutis {

struct LineSearchStart {
  double energy = 0;         ///< where the step begins [J]
  double slope = 0;          ///< of the energy along the whole step, below zero [J]
  double max_step_size = 1;  ///< the factor that is tried first
  double min_step_size = 0;  ///< no factor at or below this one is tried
  /// Rise that is forgiven [J]. Near a minimum a step changes the energy by less than the rounding of its sum
  /// while the gradient still shows the way.
  double rounding = 0;
};

struct LineSearchResult {
  bool decreases = false;  ///< whether the last trial satisfies Armijo's rule
  double step_size = 0;    ///< the factor of the last trial
  double energy = 0;       ///< its energy; that of the start when nothing was tried
  int cuts = 0;            ///< how often the factor was halved
};

/// Backtracking with Armijo's rule. `trial` moves by a factor of the step and returns the energy there,
/// infinite or not a number where the state is not allowed; the state stays at the last trial.
template <class Trial>
LineSearchResult backtrack(const LineSearchStart& start, const Trial& trial) {
  constexpr double kSufficientDecrease = 1e-4;  ///< share of the slope; Nocedal and Wright, section 3.1
  LineSearchResult result{false, start.max_step_size, start.energy, 0};
  for (double factor = start.max_step_size; factor > start.min_step_size; factor /= 2, ++result.cuts) {
    result.step_size = factor;
    result.energy = trial(factor);
    const double bound = start.energy + kSufficientDecrease * factor * start.slope + start.rounding;
    result.decreases = std::isfinite(result.energy) && result.energy <= bound;
    if (result.decreases) break;
  }
  return result;
}

}  // namespace cutis
