#pragma once

#include <vector>

#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// Volume of the body in a tetrahedron [m³].
double body_volume(const BccLattice& lattice, TetId t);
/// Of all tetrahedra together [m³].
double body_volume(const BccLattice& lattice);

/// Mass matrix of each tetrahedron [kg] for a density [kg/m³]: the mean of the consistent one, the integral
/// of λ λᵀ over the body in it, and of that lumped at its nodes. Where waves are a few cells long the first
/// makes them too fast and the second too slow by as much (Fried and Malkus 1975), and in a tetrahedron that
/// the body fills in part mass is where the body is.
IdVector<TetId, Mat4> mass_matrices(const BccLattice& lattice, double density);
/// Mass of each node [kg] for a density [kg/m³]: of the body in each of its tetrahedra by the barycentric
/// coordinates of that part's centroid, so that a force per mass acts where the mass is. In a tetrahedron
/// that the body fills, a quarter.
IdVector<NodeId, double> node_masses(const BccLattice& lattice, double density);

/// Nodes of the tetrahedra that the surface passes through, rising.
std::vector<NodeId> surface_nodes(const BccLattice& lattice);

/// Numbers the groups of up to four tetrahedra that lie around the edge between the centres of two
/// neighbouring cells, for each tetrahedron that of its own. Where the four share one volume ratio
/// (docs/flesh.md) a lattice has half as many ratios as unknowns, and keeping its volume does not lock it.
IdVector<TetId, int> volume_groups(const BccLattice& lattice);

}  // namespace cutis
