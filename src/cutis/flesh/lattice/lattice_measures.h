#pragma once

#include <vector>

#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// Volume of the body in a tetrahedron [m³].
double body_volume(const BccLattice& lattice, TetId t);
/// Of all tetrahedra together [m³].
double body_volume(const BccLattice& lattice);

/// Mass of each node [kg] for a density [kg/m³]: a quarter of the body in each of its tetrahedra.
IdVector<NodeId, double> node_masses(const BccLattice& lattice, double density);

/// Nodes of the tetrahedra that the surface passes through, rising.
std::vector<NodeId> surface_nodes(const BccLattice& lattice);

/// Numbers the groups of up to four tetrahedra that lie around the edge between the centres of two
/// neighbouring cells, for each tetrahedron that of its own. Where the four share one volume ratio
/// (docs/flesh.md) a lattice has half as many ratios as unknowns, and keeping its volume does not lock it.
IdVector<TetId, int> volume_groups(const BccLattice& lattice);

}  // namespace cutis
