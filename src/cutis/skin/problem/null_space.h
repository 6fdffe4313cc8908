#pragma once

#include "cutis/energy/ligament_energy.h"
#include "cutis/skin/problem/skin_unknowns.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// Null-space regularisation of parts of the skin that nothing holds (no fixed or prescribed vertex, no
/// ligament): one weight per vertex of springs to where it was, weak against the skin's `stiffness`; both
/// [N/m]. Zero elsewhere; empty when all is held.
IdVector<VertexId, double> null_space_weights(const Surface& rest, const SkinUnknowns& unknowns,
                                              const std::vector<Ligament>& ligaments, double stiffness);

}  // namespace cutis
