#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// An adult's arm along +x, with a fist, thumb up: shoulder at the origin, elbow at 0.30 m, wrist at 0.55 m.
/// All quads, closed. Joints upper_arm, forearm, hand; blend shape "biceps"; clip "bend" (2 s): the elbow
/// bends by 120 degrees and stretches again while the biceps swells. `edge` is the typical edge length [m].
Character make_arm(double edge);

}  // namespace cutis
