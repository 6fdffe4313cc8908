#include "cutis/flesh/flesh_core.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/flesh/distance/local_thickness.h"
#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/distance/winding_number.h"
#include "cutis/flesh/lattice/inside_volume.h"
#include "cutis/flesh/lattice/keep_tets.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// Shares of the inner radius: of the tissue where nobody says how thick it is, and at most.
constexpr double kUsualShare = 0.5, kLargestShare = 0.75;
/// Nodes this near the core's surface belong to it, in cells: soft elements keep a height of a quarter of a
/// cell.
constexpr double kBand = 0.3;
/// Beside a node inside the core that cannot be moved, soft nodes this near belong to it, too. Edges are a
/// cell long at most, so from half a cell on no edge joins a soft node to one inside the core.
constexpr double kWideBand = 0.53;
/// ... where that node stays this far inside, in cells.
constexpr double kLeftInside = 0.1;
/// Soft elements of a plane core keep at least 0.015 of their volume when nodes move; those that would keep
/// less (a core that is curved within a cell) have their nodes moved half as far, and again.
constexpr double kLeastVolume = 0.01;
constexpr int kMostHalvings = 12;
/// Nearer than this to the middle of the body (cells) a node's closest point of the surface is arbitrary: it
/// is moved by less the nearer it is, and not at all in the middle.
constexpr double kMiddle = 0.3;
/// A core within parts of the body of this inner radius (cells) is too thin for elements to end on it: its
/// nodes stay where they are. Between the two they are moved in part.
constexpr double kThin = 0.5, kThick = 1;
/// Tissue thinner than the first (cells) is not resolved, and what lies around a core that is too thin is not
/// either: nodes up to kRigidBand from the core belong to it. Free, they would swing as tissue a cell thick.
constexpr double kUnresolved = 0.1, kResolved = 0.3, kRigidBand = 1.5;

/// How a node lies to the core.
struct NodeInCore {
  double level = 0;          ///< how far inside the core [m]; negative outside
  Vec3 foot = Vec3::Zero();  ///< the point of the core's surface near it
  double foot_depth = 0;     ///< below the surface of the body [m]
  double share = 0;          ///< of the way there that it may be moved
  double resolved = 1;       ///< 0 where the lattice is too coarse for the tissue
};

double ramp(double from, double to, double x) { return std::clamp((x - from) / (to - from), 0.0, 1.0); }

/// Along the normal of the surface through the node, which meets the core's surface at the tissue's depth.
std::vector<NodeInCore> nodes_below_tissue(const Mesh& mesh, const IdVector<VertexId, double>& depth,
                                           const BccLattice& lattice) {
  const IdVector<VertexId, double> radius = inner_radius(mesh);
  IdVector<VertexId, double> thickness = radius;
  for (VertexId v : ids<VertexId>(radius.size()))
    thickness[v] = depth.empty() ? kUsualShare * radius[v] : std::min(depth[v], kLargestShare * radius[v]);
  const std::vector<IndexTriangle> outward = outward_triangles(mesh);
  const ClosestPointTree tree(mesh);
  std::vector<NodeInCore> out(lattice.mesh.node_count());
  parallel_for(out.size(), [&](std::size_t i) {
    const Vec3& x = lattice.mesh.positions[NodeId(i)];
    const double below = lattice.depth[NodeId(i)];
    const SurfacePoint closest = tree(x).point;
    const Vec3 on_surface = interpolate(mesh, mesh.positions, closest);
    Vec3 inwards = (below < 0 ? on_surface - x : Vec3(x - on_surface)).stableNormalized();
    if (!(std::abs(below) > 1e-9 * lattice.cell)) {
      const IndexTriangle& t = outward[closest.face.index()];
      const auto corner = [&](std::size_t k) { return mesh.positions[VertexId(t[k])]; };
      inwards = (corner(2) - corner(0)).cross(corner(1) - corner(0)).stableNormalized();
    }
    const double thick = interpolate(mesh, thickness, closest), room = interpolate(mesh, radius, closest);
    out[i].level = below - thick;
    out[i].foot = on_surface + thick * inwards;
    out[i].foot_depth = thick;
    out[i].resolved = std::min(ramp(kThin, kThick, room / lattice.cell),
                               ramp(kUnresolved, kResolved, thick / lattice.cell));
    out[i].share = out[i].resolved;
    if (out[i].level > 0) out[i].share *= ramp(0, kMiddle * lattice.cell, room - below);
  });
  return out;
}

/// Inside bones.
std::vector<NodeInCore> nodes_in_bones(const Mesh& mesh, const Mesh& bones, const BccLattice& lattice) {
  const WindingNumber in_bones(bones.positions.raw(), outward_triangles(bones)),
      in_body(mesh.positions.raw(), outward_triangles(mesh));
  const ClosestPointTree tree(bones), body(mesh);
  std::vector<NodeInCore> out(lattice.mesh.node_count());
  parallel_for(out.size(), [&](std::size_t i) {
    const Vec3& x = lattice.mesh.positions[NodeId(i)];
    const ClosestPoint closest = tree(x);
    const double distance = std::sqrt(closest.distance_squared);
    const Vec3 foot = interpolate(bones, bones.positions, closest.point);
    const double below = std::sqrt(body(foot).distance_squared);
    out[i] = {in_bones(x) > 0.5 ? distance : -distance, foot, in_body(foot) > 0.5 ? below : -below, 1};
  });
  return out;
}

/// On the part of the surface that is held, and behind it.
std::vector<NodeInCore> nodes_on_region(const Mesh& mesh, const IdVector<VertexId, double>& region,
                                        const BccLattice& lattice) {
  Mesh held;
  held.positions = mesh.positions;
  IdVector<NodeId, char> near(lattice.mesh.node_count(), 0);
  IdVector<FaceId, char> is_held(mesh.face_count(), 0);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    if (std::ranges::any_of(mesh.face(f), [&](VertexId v) { return region[v] < 0.5; })) continue;
    held.add_face(mesh.face(f));
    is_held[f] = 1;
    for (TetId t : lattice.tets_of(f))
      for (NodeId v : lattice.mesh.tets[t]) near[v] = 1;
  }
  if (held.face_count() == 0)
    throw InputError("flesh: no face of the body lies in the region that is to be its core: make it larger");
  const ClosestPointTree tree(held), body(mesh);
  std::vector<NodeInCore> out(lattice.mesh.node_count());
  parallel_for(out.size(), [&](std::size_t i) {
    const NodeId v(i);
    const Vec3& x = lattice.mesh.positions[v];
    const ClosestPoint closest = tree(x);
    const double distance = std::sqrt(closest.distance_squared);
    const bool behind = lattice.depth[v] < 0 && is_held[body(x).point.face];
    const double level = behind ? distance : near[v] ? -distance : -std::numeric_limits<double>::infinity();
    out[i] = {level, interpolate(held, held.positions, closest.point), 0, 1};
  });
  return out;
}

std::vector<NodeInCore> nodes_in_core(const Mesh& mesh, const FleshOptions& options,
                                      const BccLattice& lattice) {
  if (options.bones) return nodes_in_bones(mesh, *options.bones, lattice);
  if (!options.core_region.empty()) return nodes_on_region(mesh, options.core_region, lattice);
  return nodes_below_tissue(mesh, options.depth, lattice);
}

/// Nodes of the core, 1.
IdVector<NodeId, char> core_nodes(const BccLattice& lattice, const std::vector<NodeInCore>& nodes) {
  IdVector<NodeId, char> core(nodes.size(), 0), held_back(nodes.size(), 0), beside(nodes.size(), 0);
  for (NodeId v : ids<NodeId>(nodes.size())) {
    const NodeInCore& node = nodes[v.index()];
    const double band = kRigidBand + node.resolved * (kBand - kRigidBand);
    core[v] = node.level >= -band * lattice.cell;
    held_back[v] = (1 - node.share) * node.level > kLeftInside * lattice.cell;
  }
  for (const std::array<NodeId, 4>& tet : lattice.mesh.tets)
    if (std::ranges::any_of(tet, [&](NodeId v) { return held_back[v] != 0; }))
      for (NodeId v : tet) beside[v] = 1;
  for (NodeId v : ids<NodeId>(nodes.size()))
    if (beside[v] && nodes[v.index()].level >= -kWideBand * lattice.cell) core[v] = 1;
  return core;
}

/// Tetrahedra that move when nodes of the core do: with a node of it and a soft one.
std::vector<TetId> tets_at_core(const TetMesh& mesh, const IdVector<NodeId, char>& in_core) {
  std::vector<TetId> out;
  for (TetId t : ids<TetId>(mesh.tet_count())) {
    const auto inside = std::ranges::count_if(mesh.tets[t], [&](NodeId v) { return in_core[v] != 0; });
    if (inside > 0 && inside < 4) out.push_back(t);
  }
  return out;
}

/// By how much of their way to the core's surface nodes are moved, so that no tetrahedron gets flat.
IdVector<NodeId, double> safe_shares(const TetMesh& mesh, const std::vector<TetId>& tets,
                                     const std::vector<NodeInCore>& nodes,
                                     const IdVector<NodeId, char>& in_core) {
  IdVector<NodeId, double> shares(mesh.node_count(), 0);
  for (TetId t : tets)
    for (NodeId v : mesh.tets[t])
      if (in_core[v]) shares[v] = nodes[v.index()].share;
  for (int halved = 0; halved <= kMostHalvings; ++halved) {
    NodePoints moved = mesh.positions;
    for (NodeId v : ids<NodeId>(moved.size())) moved[v] += shares[v] * (nodes[v.index()].foot - moved[v]);
    IdVector<NodeId, char> flat(moved.size(), 0);
    bool any = false;
    for (TetId t : tets)
      if (!(tet_volume(mesh, moved, t) >= kLeastVolume * tet_volume(mesh, t))) {
        any = true;
        for (NodeId v : mesh.tets[t]) flat[v] = 1;
      }
    if (!any) break;
    for (NodeId v : ids<NodeId>(flat.size()))
      if (flat[v]) shares[v] = halved == kMostHalvings ? 0 : shares[v] / 2;
  }
  return shares;
}

/// Tetrahedra of the core that are flat now that their nodes lie on its surface hold nothing.
IdVector<TetId, char> not_flat(const TetMesh& mesh, const NodePoints& positions_before,
                               const IdVector<NodeId, char>& in_core) {
  IdVector<TetId, char> out(mesh.tet_count(), 1);
  for (TetId t : ids<TetId>(mesh.tet_count()))
    if (std::ranges::all_of(mesh.tets[t], [&](NodeId v) { return in_core[v] != 0; }))
      out[t] = tet_volume(mesh, t) >= kLeastVolume * tet_volume(mesh, positions_before, t);
  return out;
}

/// Share of a tetrahedron below the surface, by its depths at the nodes.
double linear_fill(const BccLattice& lattice, TetId t) {
  Vec4 outside;
  for (int k = 0; k < 4; ++k) outside[k] = -lattice.depth[lattice.mesh.tets[t][at(k)]];
  return negative_part(outside).share;
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

std::vector<NodeId> fit_core(const Mesh& mesh, const FleshOptions& options, BccLattice& lattice) {
  const std::vector<NodeInCore> nodes = nodes_in_core(mesh, options, lattice);
  const IdVector<NodeId, char> in_core = core_nodes(lattice, nodes);
  const std::vector<TetId> tets = tets_at_core(lattice.mesh, in_core);
  const IdVector<NodeId, double> shares = safe_shares(lattice.mesh, tets, nodes, in_core);
  std::vector<double> fill_before;
  for (TetId t : tets) fill_before.push_back(linear_fill(lattice, t));
  const NodePoints before = lattice.mesh.positions;
  for (NodeId v : ids<NodeId>(shares.size())) {
    const NodeInCore& node = nodes[v.index()];
    if (!(shares[v] > 0)) continue;
    lattice.mesh.positions[v] += shares[v] * (node.foot - lattice.mesh.positions[v]);
    lattice.depth[v] += shares[v] * (node.foot_depth - lattice.depth[v]);
  }
  for (std::size_t i = 0; i < tets.size(); ++i)
    lattice.fill[tets[i]] =
        std::clamp(lattice.fill[tets[i]] + linear_fill(lattice, tets[i]) - fill_before[i], kMinFill, 1.0);
  const IdVector<NodeId, NodeId> number = keep_tets(not_flat(lattice.mesh, before, in_core), lattice);
  std::vector<NodeId> core;
  for (NodeId v : ids<NodeId>(number.size()))
    if (in_core[v] && number[v].valid()) core.push_back(number[v]);
  return core;
}

}  // namespace cutis
