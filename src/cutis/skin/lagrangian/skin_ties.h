#pragma once

#include <vector>

#include "cutis/skin/lagrangian/lagrangian_options.h"
#include "cutis/skin/lagrangian/skin_problem.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// The ligaments that the options ask for: where the slide limit is above zero and finite.
std::vector<Ligament> ligaments_of(const Surface& rest, const LagrangianOptions& options);

/// For parts of the skin that nothing holds (no stuck or moved vertex, no ligament): springs to where it was,
/// weak against its stiffness; both [N/m]. Zero elsewhere; empty when all is held.
IdVector<VertexId, double> gauge_weights(const Surface& rest, const SkinUnknowns& unknowns, double stiffness);

}  // namespace cutis
