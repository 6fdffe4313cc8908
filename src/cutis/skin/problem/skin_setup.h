#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "cutis/skin/constraint/skin_constraints.h"
#include "cutis/skin/problem/skin_elements.h"
#include "cutis/skin/problem/skin_unknowns.h"
#include "cutis/skin/skin_tissue.h"

namespace cutis {

/// What every method does with the options of its skin before it can be solved for.

/// The options with these vertices (rising) fixed, whatever else is asked of them.
template <class Options>
Options with_fixed_vertices(Options options, const std::vector<VertexId>& fixed) {
  fix_vertices(fixed, options);
  return options;
}

/// The surface, once it is clear that the options fit it; throws InputError else.
std::shared_ptr<const Surface> checked_rest(std::shared_ptr<const Surface> rest, const SkinOptions& options);

/// What the skin is solved with: the material, and what keeps its area where that is asked for.
std::shared_ptr<const MembraneMaterial> elastic_law(const SkinOptions& options);

/// Of the skin on average [N/m].
double mean_stiffness(const SkinElements& skin, const MembraneMaterial& material);

/// The square root of the energy of all elements that move at a strain of one [sqrt(J)].
double energy_scale(const SkinElements& skin, const SkinUnknowns& unknowns, const MembraneMaterial& material);

/// What the skin is made of, for fields and figures.
SkinTissue skin_tissue(const Surface& rest, const SkinElements& skin,
                       std::shared_ptr<const MembraneMaterial> material);

}  // namespace cutis
