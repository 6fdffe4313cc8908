#pragma once

#include "cutis/body/analytic_body.h"

namespace cutis {

/// A ring about the y axis, 100 mm in radius, of a tube of 50 mm radius; 48 by 24 quads at the default edge.
/// Clips, with theta the angle along the ring from the x axis:
///   "stretch"  theta becomes theta + 0.6 sin(theta) within 1 s, then held: the ring is stretched to 1.6 at
///              one side and compressed to 0.4 at the other; the tube keeps its radius
///   "squeeze"  the same, while the tube narrows to 0.6 of its radius on the stretched side
///   "bend"     the plane of the ring bends about the z axis to a curvature of 6 / m and back in 2 s
///   "shake"    30 mm sin(2 pi 2 Hz t) along x for 4 s, eased in and out within the first and last half
///   second "spin"     once around its own axis within 2 s
AnalyticShape make_torus(double edge);

}  // namespace cutis
