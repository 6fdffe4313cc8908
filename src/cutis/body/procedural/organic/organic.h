#pragma once

#include <vector>

#include "cutis/body/procedural/procedural_bodies.h"

namespace cutis {

/// The members of the cast that are grown from blended capsules and ellipsoids.
const std::vector<ProceduralBody>& organic_bodies();

}  // namespace cutis
