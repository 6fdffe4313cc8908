#pragma once

#include <array>
#include <vector>

#include "cutis/energy/membrane_energy.h"
#include "cutis/skin/constraint/skin_constraints.h"

namespace cutis {

/// Which vertices of the skin are unknown and which triangles they move: the same for a whole run.
struct SkinUnknowns {
  std::vector<VertexId> vertices;                ///< a block of two unknowns each
  IdVector<VertexId, int> block;                 ///< of a vertex; -1 when it is not unknown
  std::vector<std::size_t> elements;             ///< of the membrane: those with an unknown corner
  std::vector<std::array<VertexId, 3>> corners;  ///< of these
  /// Where each unknown vertex is a corner: 3 * (index into `elements`) + corner, from around_begin[i] on.
  std::vector<std::size_t> around_begin, around;

  SkinUnknowns(const std::vector<MembraneElement>& all, const SkinConstraints& constraints,
               std::size_t vertex_count);

  /// Of the edges around unknown i, on average, at these positions [m].
  double mean_edge(std::size_t i, const Points& positions) const;
};

}  // namespace cutis
