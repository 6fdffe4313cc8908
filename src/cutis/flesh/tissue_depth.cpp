#include "cutis/flesh/tissue_depth.h"

#include <algorithm>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// Shares of the inner radius: of the tissue where nobody says how thick it is, and at most.
constexpr double kUsualShare = 0.5, kLargestShare = 0.75;

/// The neighbour with the largest depth, where that is deeper than the node itself; invalid elsewhere.
IdVector<NodeId, NodeId> deepest_neighbours(const BccLattice& lattice) {
  IdVector<NodeId, NodeId> out(lattice.mesh.node_count());
  for (const std::array<NodeId, 4>& tet : lattice.mesh.tets)
    for (NodeId a : tet)
      for (NodeId b : tet) {
        const double least = out[a].valid() ? lattice.depth[out[a]] : lattice.depth[a];
        if (lattice.depth[b] > least) out[a] = b;
      }
  return out;
}

/// How deep the body is where a node lies: the depth that is reached by always going on to the `next` deeper
/// node [m].
IdVector<NodeId, double> inner_radius(const BccLattice& lattice, const IdVector<NodeId, NodeId>& next) {
  std::vector<NodeId> order;
  for (NodeId v : ids<NodeId>(next.size())) order.push_back(v);
  std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
    return lattice.depth[a] != lattice.depth[b] ? lattice.depth[a] > lattice.depth[b] : a < b;
  });
  IdVector<NodeId, double> out = lattice.depth;
  for (NodeId v : order)
    if (next[v].valid()) out[v] = out[next[v]];
  return out;
}

}  // namespace

IdVector<NodeId, double> at_nodes(const BccLattice& lattice, const Mesh& mesh,
                                  const IdVector<VertexId, double>& values) {
  const ClosestPointTree tree(mesh);
  IdVector<NodeId, double> out(lattice.mesh.node_count(), 0);
  parallel_for(out.size(), [&](std::size_t i) {
    out[NodeId(i)] = interpolate(mesh, values, tree(lattice.mesh.positions[NodeId(i)]).point);
  });
  return out;
}

std::vector<NodeId> core_nodes(const BccLattice& lattice, const Mesh& mesh,
                               const IdVector<VertexId, double>& depth) {
  const IdVector<NodeId, NodeId> deeper = deepest_neighbours(lattice);
  const IdVector<NodeId, double> radius = inner_radius(lattice, deeper);
  IdVector<NodeId, double> thickness(radius.size(), 0);
  if (!depth.empty()) thickness = at_nodes(lattice, mesh, depth);
  std::vector<NodeId> out;
  for (NodeId v : ids<NodeId>(radius.size())) {
    const double asked = depth.empty() ? kUsualShare * radius[v] : thickness[v];
    if (!deeper[v].valid() || lattice.depth[v] >= std::min(asked, kLargestShare * radius[v]))
      out.push_back(v);
  }
  return out;
}

}  // namespace cutis
