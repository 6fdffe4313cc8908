#include "cutis/flesh/lattice/lattice_measures.h"

#include <map>
#include <utility>

#include "cutis/flesh/lattice/inside_volume.h"

namespace cutis {
namespace {

/// Where the body ends within a tetrahedron is known from the depths of its nodes.
NegativePart body_part(const BccLattice& lattice, TetId t) {
  if (!(lattice.fill[t] < 1)) return {};
  Vec4 outside;
  for (int k = 0; k < 4; ++k) outside[k] = -lattice.depth[lattice.mesh.tets[t][at(k)]];
  return negative_part(outside);
}

}  // namespace

double body_volume(const BccLattice& lattice, TetId t) {
  return lattice.fill[t] * tet_volume(lattice.mesh, t);
}

double body_volume(const BccLattice& lattice) {
  double sum = 0;
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) sum += body_volume(lattice, t);
  return sum;
}

IdVector<TetId, Mat4> mass_matrices(const BccLattice& lattice, double density) {
  IdVector<TetId, Mat4> out;
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) {
    const NegativePart body = body_part(lattice, t);
    const Mat4 lumped = body.centroid.asDiagonal();
    out.push_back(density * body_volume(lattice, t) / 2 * (body.second_moment + lumped));
  }
  return out;
}

IdVector<NodeId, double> node_masses(const BccLattice& lattice, double density) {
  IdVector<NodeId, double> masses(lattice.mesh.node_count(), 0.0);
  for (TetId t : ids<TetId>(lattice.mesh.tet_count())) {
    const Vec4 centroid = body_part(lattice, t).centroid;
    for (int k = 0; k < 4; ++k)
      masses[lattice.mesh.tets[t][at(k)]] += centroid[k] * density * body_volume(lattice, t);
  }
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
