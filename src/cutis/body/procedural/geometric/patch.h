#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// A flat square of skin of 100 mm about the origin, y up, with the blend shapes that wrinkle skin, each full
/// at weight 1, and a clip of the same name that brings it on within 1 s and takes it back within another:
///   "compress"  x shrinks to 0.7
///   "twist"     a disk of 9 mm radius in the middle turns by 45 degrees, which fades out to the border
///   "pinch"     the middle is drawn together along x to 0.35 between two fingers and rises by 8 mm
///   "pull_up"   the middle is lifted by 30 mm and drawn in from all sides
Character make_patch(double edge);

}  // namespace cutis
