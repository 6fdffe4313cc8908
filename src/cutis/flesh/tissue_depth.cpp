#include "cutis/flesh/tissue_depth.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// Shares of the inner radius: of the tissue where nobody says how thick it is, and at most.
constexpr double kUsualShare = 0.5, kLargestShare = 0.75;
/// Sine of the angle between directions that are not the same.
constexpr double kOffLine = 0.1;

std::vector<std::vector<NodeId>> neighbours(const TetMesh& mesh) {
  std::vector<std::vector<NodeId>> out(mesh.node_count());
  for (const std::array<NodeId, 4>& tet : mesh.tets)
    for (NodeId a : tet)
      for (NodeId b : tet)
        if (a != b) out[a.index()].push_back(b);
  for (std::vector<NodeId>& of_one : out) {
    std::ranges::sort(of_one);
    of_one.erase(std::unique(of_one.begin(), of_one.end()), of_one.end());
  }
  return out;
}

/// How thick the body is where a node lies: the radius of the largest ball around a node of the same part
/// that lies in the body and holds it (local thickness, Hildebrand and Rüegsegger 1997) [m]. Going on to ever
/// deeper nodes would not do: from a thigh that leads into the belly. Nodes miss the middle of such a ball by
/// up to a cell, so what is within a cell of it counts, too.
IdVector<NodeId, double> inner_radius(const BccLattice& lattice,
                                      const std::vector<std::vector<NodeId>>& adjacent) {
  std::vector<NodeId> order;
  for (NodeId v : ids<NodeId>(lattice.depth.size())) order.push_back(v);
  std::ranges::stable_sort(order, std::greater(), [&](NodeId v) { return lattice.depth[v]; });
  IdVector<NodeId, double> out(order.size(), -std::numeric_limits<double>::infinity());
  IdVector<NodeId, int> seen(order.size(), -1);
  for (NodeId centre : order) {
    const double radius = lattice.depth[centre];
    std::vector<NodeId> ball{centre};
    seen[centre] = centre.value;
    for (std::size_t i = 0; i < ball.size(); ++i) {
      out[ball[i]] = std::max(out[ball[i]], radius);
      for (NodeId next : adjacent[ball[i].index()])
        if ((lattice.mesh.positions[next] - lattice.mesh.positions[centre]).norm() < radius + lattice.cell &&
            std::exchange(seen[next], centre.value) != centre.value)
          ball.push_back(next);
    }
  }
  return out;
}

bool has_deeper(const BccLattice& lattice, const std::vector<NodeId>& adjacent, NodeId v) {
  return std::ranges::any_of(adjacent, [&](NodeId next) { return lattice.depth[next] > lattice.depth[v]; });
}

/// Whether these nodes and `v` lie on one line.
bool on_one_line(const TetMesh& mesh, NodeId v, const std::vector<NodeId>& nodes) {
  const auto way = [&](NodeId to) -> Vec3 { return (mesh.positions[to] - mesh.positions[v]).normalized(); };
  return std::ranges::all_of(nodes,
                             [&](NodeId to) { return way(nodes[0]).cross(way(to)).norm() < kOffLine; });
}

/// Flesh around a single line of nodes could turn about it: each of them whose neighbours in the core are on
/// one line takes the deepest other neighbour in. A node alone does so twice.
void hold_turns(const BccLattice& lattice, const std::vector<std::vector<NodeId>>& adjacent,
                std::vector<NodeId>& core) {
  IdVector<NodeId, char> inside(adjacent.size(), 0);
  for (NodeId v : core) inside[v] = 1;
  for (int round = 0; round < 2; ++round) {
    std::vector<NodeId> more;
    for (NodeId v : core) {
      std::vector<NodeId> within, others;
      for (NodeId next : adjacent[v.index()]) (inside[next] ? within : others).push_back(next);
      if (!others.empty() && on_one_line(lattice.mesh, v, within))
        more.push_back(
            *std::ranges::max_element(others, {}, [&](NodeId next) { return lattice.depth[next]; }));
    }
    for (NodeId v : more)
      if (!std::exchange(inside[v], 1)) core.push_back(v);
  }
  std::ranges::sort(core);
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
  const std::vector<std::vector<NodeId>> adjacent = neighbours(lattice.mesh);
  const IdVector<NodeId, double> radius = inner_radius(lattice, adjacent);
  IdVector<NodeId, double> thickness(radius.size(), 0);
  if (!depth.empty()) thickness = at_nodes(lattice, mesh, depth);
  std::vector<NodeId> out;
  for (NodeId v : ids<NodeId>(radius.size())) {
    const double asked = depth.empty() ? kUsualShare * radius[v] : thickness[v];
    if (!has_deeper(lattice, adjacent[v.index()], v) ||
        lattice.depth[v] >= std::min(asked, kLargestShare * radius[v]))
      out.push_back(v);
  }
  hold_turns(lattice, adjacent, out);
  return out;
}

}  // namespace cutis
