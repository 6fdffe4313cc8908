#pragma once

#include <vector>

#include "cutis/body/procedural/procedural_bodies.h"

namespace cutis {

/// The members of the cast that have simple shapes: sheet, bump, patch, sphere, cylinder, torus.
const std::vector<ProceduralBody>& geometric_bodies();

}  // namespace cutis
