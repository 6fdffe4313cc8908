#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// Readers refuse coordinates beyond this, in the file's own units. No real asset comes near it, and a
/// product of three such lengths still fits in single precision.
inline constexpr double largest_coordinate = 1e12;

/// Whether every coordinate is a number within ±largest_coordinate.
inline bool is_place(const Vec3& p) { return (p.array().abs() <= largest_coordinate).all(); }

}  // namespace cutis
