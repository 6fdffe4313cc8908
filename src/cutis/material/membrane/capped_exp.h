#pragma once

#include <algorithm>
#include <cmath>

#include "cutis/material/scalar_jet.h"

namespace cutis {

/// exp(x), quadratic_extension above x = cap by its parabola there: finite wherever a line search may look.
/// No skin comes near e^100, which is 10^43.
inline ScalarJet capped_exp(double x, double cap = 100) {
  const double e = std::exp(std::min(x, cap));
  return quadratic_extension({e, e, e}, std::max(0.0, x - cap));
}

}  // namespace cutis
