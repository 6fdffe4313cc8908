#pragma once

#include "cutis/body/analytic_body.h"

namespace cutis {

/// A tube along x, 400 mm long and 60 mm in radius, open at both ends, the origin in its middle. All clips
/// but "press" turn points about the axis, so that the radius stays what it is:
///   "twist"  the right half by an angle that grows evenly from 0 in the middle to 90 degrees at the end,
///            within 1 s, then held
///   "wring"  the same in opposite directions on both halves, by 60 degrees, and back in 2 s
///   "press"  shortened by a fifth, with its volume kept, and back in 2 s
///   "spin"   the whole tube once around within 2 s
AnalyticShape make_cylinder(double edge);

}  // namespace cutis
