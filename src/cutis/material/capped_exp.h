#pragma once

#include <cmath>

namespace cutis {

/// A function of one variable with its first two derivatives.
struct ScalarJet {
  double value = 0, first = 0, second = 0;
};

/// exp(x), continued above x = cap by its quadratic Taylor polynomial: equal to second order, convex, and
/// finite wherever a line search may look. No skin comes near e^100, which is 10^43.
inline ScalarJet capped_exp(double x, double cap = 100) {
  if (x <= cap) {
    const double e = std::exp(x);
    return {e, e, e};
  }
  const double e = std::exp(cap), over = x - cap;
  return {e * (1 + over + over * over / 2), e * (1 + over), e};
}

}  // namespace cutis
