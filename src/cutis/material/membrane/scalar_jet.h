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

/// The same for a function of a squared length u > 0, with its derivatives by u at `from`: the parabola that
/// touches it as a function of the length, a spring, instead of a fourth power of the length.
inline ScalarJet quadratic_extension_by_length(const ScalarJet& at, double from, double u) {
  const double r = std::sqrt(u), start = std::sqrt(from);
  const ScalarJet spring =
      quadratic_extension({at.value, 2 * start * at.first, 2 * at.first + 4 * from * at.second}, r - start);
  const double slope = spring.first / (2 * r);
  return {spring.value, slope, (spring.second - 2 * slope) / (4 * u)};
}

}  // namespace cutis
