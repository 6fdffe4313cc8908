#include "cutis/flesh/lattice/lattice_measures.h"

namespace cutis {

double body_volume(const BccLattice& lattice, TetId t) {
  return lattice.fill[t] * tet_volume(lattice.mesh, t);
}

double body_volume(const BccLattice& lattice) {
  double sum = 0;
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) sum += body_volume(lattice, t);
  return sum;
}

IdVector<NodeId, double> node_masses(const BccLattice& lattice, double density) {
  IdVector<NodeId, double> masses(lattice.mesh.node_count(), 0.0);
  for (TetId t : ids<TetId>(lattice.mesh.tet_count()))
    for (NodeId n : lattice.mesh.tets[t]) masses[n] += 0.25 * density * body_volume(lattice, t);
  return masses;
}

std::vector<NodeId> core_nodes(const BccLattice& lattice, double tissue_depth) {
  std::vector<NodeId> nodes;
  for (NodeId n : ids<NodeId>(lattice.mesh.node_count()))
    if (lattice.depth[n] > tissue_depth) nodes.push_back(n);
  return nodes;
}

std::vector<NodeId> surface_nodes(const BccLattice& lattice) {
  IdVector<NodeId, char> near(lattice.mesh.node_count(), 0);
  for (TetId t : lattice.face_tets)
    for (NodeId n : lattice.mesh.tets[t]) near[n] = 1;
  std::vector<NodeId> nodes;
  for (NodeId n : ids<NodeId>(near.size()))
    if (near[n]) nodes.push_back(n);
  return nodes;
}

}  // namespace cutis
