#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// The clip with a continuous velocity, for what has mass: its Linear tracks as CubicSpline tracks through
/// the same keys. A baked clip is sampled from a smooth motion, and the polyline through its keys would kick
/// tissue at each of them.
///
/// Slopes are those of the parabola through three keys, on rotations in the tangent space of the middle one,
/// bounded so that no value goes beyond keys between which it rises, falls or holds (Huynh 1993); keys along
/// a line stay a line. A track that begins late or ends early comes to rest there. At keys within a
/// microsecond the value jumps, as in the file; Step and CubicSpline tracks are left as they are.
Clip smoothed(const Clip& clip);

}  // namespace cutis
