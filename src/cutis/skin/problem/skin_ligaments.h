#pragma once

#include <vector>

#include "cutis/energy/ligament_energy.h"
#include "cutis/skin/skin_options.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// The ligaments that the options ask for: where the slide limit is above zero and finite.
std::vector<Ligament> skin_ligaments(const Surface& rest, const SkinOptions& options);

}  // namespace cutis
