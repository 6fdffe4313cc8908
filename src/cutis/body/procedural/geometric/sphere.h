#pragma once

#include "cutis/body/analytic_body.h"

namespace cutis {

/// A ball of 100 mm radius about the origin: the six sides of a cube, each with a UV chart of its own, blown
/// up. Clips:
///   "squash"  to 0.6 of its height at constant volume and back in 2 s
///   "flatten" to 0.6 of its height at constant volume in 0.5 s, and stays so
///   "pinch"   one half loses a fifth of its width in 0.5 s, and stays so
///   "pulse"   to 1.25 of its radius and back in 2 s
///   "spin"    once around the y axis within 2 s
AnalyticShape make_sphere(double edge);

}  // namespace cutis
