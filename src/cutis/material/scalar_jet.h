#pragma once

#include <cmath>

namespace cutis {

/// A function of one variable with its first two derivatives.
struct ScalarJet {
  double value = 0, first = 0, second = 0;
};

/// The parabola that touches a function to second order, so much further on: convex where the function is.
inline ScalarJet quadratic_extension(const ScalarJet& at, double further) {
  return {at.value + further * (at.first + further * at.second / 2), at.first + further * at.second,
          at.second};
}

/// What has failed, for a function of a squared length u > `from`, given with its derivatives by u at `from`:
/// as a function of the length it goes on to second order, and its stiffness falls from there to `stiffness`
/// within a few times 0.05, and stays there. Convex where the function is.
inline ScalarJet failed_extension(const ScalarJet& at, double from, double u, double stiffness) {
  constexpr double width = 0.05;
  const double r = std::sqrt(u), start = std::sqrt(from), x = r - start;
  const double force = 2 * start * at.first, excess = 2 * at.first + 4 * from * at.second - stiffness;
  const double decay = std::exp(-x / width), lost = width * (1 - decay);
  const double slope = (force + stiffness * x + excess * lost) / (2 * r);
  const double value = at.value + x * (force + 0.5 * stiffness * x) + excess * width * (x - lost);
  return {value, slope, (stiffness + excess * decay - 2 * slope) / (4 * u)};
}

}  // namespace cutis
