#pragma once

#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// Leaves out all tetrahedra but these, and nodes of none; a face of the surface that passed through one that
/// goes lies in the tetrahedra that stay around it. One that nothing stays around stays, too. Returns the new
/// number of each node, invalid where it is gone.
IdVector<NodeId, NodeId> keep_tets(IdVector<TetId, char> keep, BccLattice& lattice);

}  // namespace cutis
