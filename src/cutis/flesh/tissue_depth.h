#pragma once

#include <vector>

#include "cutis/flesh/flesh_options.h"
#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// A quantity given at the vertices of a surface, at each node of its lattice: that of the closest place of
/// the surface. `mesh` is what the lattice was made of.
IdVector<NodeId, double> at_nodes(const BccLattice& lattice, const Mesh& mesh,
                                  const IdVector<VertexId, double>& values);

/// The core of a body: nodes below the soft tissue, which follow the bones, rising. `depth` is how thick the
/// tissue is at each vertex [m]; empty: half of the inner radius. It never goes further than three quarters
/// of it, and a node without a deeper neighbour is always of the core, so that thin parts have one, too. It
/// is nowhere a single line, about which flesh could turn.
std::vector<NodeId> core_nodes(const BccLattice& lattice, const Mesh& mesh,
                               const IdVector<VertexId, double>& depth);

}  // namespace cutis
