#pragma once

#include "cutis/body/analytic_body.h"

namespace cutis {

/// A flat square of 200 mm about the origin, y up. Clips:
///   "stretch"  by 1.4 along x and by 1 / sqrt(1.4) along z within 1 s, then held
///   "shear"    x moves by half of z within 1 s, then held
///   "roll"     about the z axis to three quarters of a circle and flat again in 2 s; every length is kept
///   "wave"     12 mm high and 100 mm long, runs along x once a second for 3 s
AnalyticShape make_sheet(double edge);

/// The same square over a bump of 40 mm radius and 20 mm height, y = 20 mm (1 - q^2)^2 at a distance of q
/// radii from its top. The bump goes 25 mm along x, 25 mm to the other side and back in 2 s. Clips:
///   "carry"    the skin rides on the bump, as plain skinning has it: stretched behind, compressed in front,
///              still at the border
///   "pass"     the skin only rises and falls as the bump passes below
AnalyticShape make_bump(double edge);

}  // namespace cutis
