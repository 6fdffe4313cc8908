#pragma once

#include "cutis/core/types.h"

namespace cutis {

// Metrics of a plane: symmetric and positive definite tensors M, by which a vector e has the squared length
// eᵀ M e. Large entries ask for short edges.

/// The metric that is as strict as both: at least as long as either measures, and no longer than needed along
/// the two directions that are at right angles in both (simultaneous reduction). Only `a` must be definite.
Mat2 stricter(const Mat2& a, const Mat2& b);

/// Sizes, the lengths that measure 1, between two bounds, and the longest at most `max_aspect` times the
/// shortest.
Mat2 limited(const Mat2& metric, double smallest, double largest, double max_aspect);

}  // namespace cutis
