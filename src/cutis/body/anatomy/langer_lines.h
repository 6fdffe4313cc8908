#pragma once

#include <vector>

#include "cutis/body/anatomy/stroke.h"

namespace cutis {

enum class LangerSet { Male, Female };

/// Langer lines of a whole human as strokes around bones, after the classical descriptions (Langer 1861; Cox
/// 1941): collars around the neck, belts around the trunk that run down and forwards with the ribs, along the
/// limbs with a slight spiral, across the bends of joints, around eyes and out from the mouth. On the chest
/// they follow the breast muscle (male) or circle the breasts (female). Left and right mirror each other.
std::vector<Stroke> langer_strokes(LangerSet set);

}  // namespace cutis
