#pragma once

#include <cstddef>
#include <optional>

#include "cutis/material/fit/fit.h"

namespace cutis {

/// Two points of a test between which skin got slacker though it was stretched further.
struct StressFall {
  int axis = 0;            ///< 0: x, 1: y
  std::size_t before = 0;  ///< of the points: the one at the smaller stretch, under the larger stress
  std::size_t after = 0;
};

/// The first fall in the order of the points: by more than a tenth of the test's largest stress, along a pull
/// (or a release) in one go; slack between load and unload, or a hold, is none. The laws of skin have no such
/// thing: the specimen tore or slipped, or the numbers are not what they are taken for.
std::optional<StressFall> find_stress_fall(const StretchTest& test);

}  // namespace cutis
