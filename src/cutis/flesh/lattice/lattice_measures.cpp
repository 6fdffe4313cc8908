#include "cutis/flesh/lattice/lattice_measures.h"

#include <map>
#include <utility>

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

std::vector<NodeId> surface_nodes(const BccLattice& lattice) {
  IdVector<NodeId, char> near(lattice.mesh.node_count(), 0);
  for (TetId t : lattice.face_tets)
    for (NodeId n : lattice.mesh.tets[t]) near[n] = 1;
  std::vector<NodeId> nodes;
  for (NodeId n : ids<NodeId>(near.size()))
    if (near[n]) nodes.push_back(n);
  return nodes;
}

/// The centres are the first two nodes of a tetrahedron.
IdVector<TetId, int> volume_groups(const BccLattice& lattice) {
  std::map<std::pair<NodeId, NodeId>, int> numbers;
  IdVector<TetId, int> out;
  for (const std::array<NodeId, 4>& tet : lattice.mesh.tets) {
    const auto ends = std::minmax(tet[0], tet[1]);
    out.push_back(numbers.try_emplace(ends, static_cast<int>(numbers.size())).first->second);
  }
  return out;
}

}  // namespace cutis
