#pragma once

#include <vector>

#include "cutis/flesh/flesh_options.h"
#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// A quantity given at the vertices of a surface, at each node of its lattice: that of the closest point of
/// the surface. `mesh` is what the lattice was made of.
IdVector<NodeId, double> at_nodes(const BccLattice& lattice, const Mesh& mesh,
                                  const IdVector<VertexId, double>& values);

/// The core of a body: what lies below the soft tissue and follows the bones. By FleshOptions::depth (empty:
/// half of the inner radius; never more than three quarters of it), or what lies inside FleshOptions::bones,
/// or the surface in FleshOptions::core_region.
///
/// Nodes within half a cell of the core's surface belong to the core and are moved onto that surface, so that
/// soft elements end at the depth asked for, not at the nearest node. Parts of the body that are thinner than
/// a cell have a core all along, which holds them. Returns the nodes of the core, rising; positions, depths
/// and fill of the lattice change. Throws InputError where the region has no face.
std::vector<NodeId> fit_core(const Mesh& mesh, const FleshOptions& options, BccLattice& lattice);

}  // namespace cutis
