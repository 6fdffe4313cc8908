#include "cutis/flesh/self_contact.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/LU>

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Of the contact over that of flesh as thick as a cell.
constexpr double kContactStiffness = 20;
/// What a point is pushed out in a step at the most, in cells.
constexpr double kLongestPush = 0.5;
/// What is nearer than so many cells at rest is the same part. In the animation less of it is: a vertex that
/// overlaps there just within the bound and now just beyond it has not come deeper.
constexpr double kSamePart = 2.5, kSamePartAnimated = 1;
/// An element that is flatter than this share of what it was holds nothing.
constexpr double kFlattestElement = 0.05;

/// Tetrahedra that are looked at one after the other.
constexpr std::size_t kTetsAtOnce = 256;

/// Points by the cell of a grid that they lie in.
class PointGrid {
 public:
  /// Cells are about as wide as `cell`, or wider where there would be far more cells than points.
  PointGrid(const std::vector<Vec3>& points, double cell) {
    for (const Vec3& p : points) box_.extend(p);
    if (points.empty()) return;
    const double most = 64 * static_cast<double>(points.size()) + 4096;
    for (cell_ = cell;; cell_ *= 1.5) {
      const Eigen::Array3d wide = (box_.sizes() / cell_).array().floor() + 1;
      if (!(wide.prod() > most)) {
        size_ = wide.cast<int>();
        break;
      }
    }
    starts_.assign(at(size_.prod()) + 1, 0);
    for (const Vec3& p : points) ++starts_[number(index(p)) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    members_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) members_[next[number(index(points[i]))]++] = i;
  }
  /// Calls f(i) for each point in a cell that the box touches.
  template <class F>
  void visit(const Eigen::AlignedBox3d& box, const F& f) const {
    if (!box_.intersects(box)) return;
    const Eigen::Array3i low = index(box.min()), high = index(box.max());
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y) {
        // Cells along x lie one after the other.
        const std::size_t begin = starts_[number({low[0], y, z})], end = starts_[number({high[0], y, z}) + 1];
        for (std::size_t k = begin; k < end; ++k) f(members_[k]);
      }
  }

 private:
  /// Of the cell that is nearest to a point.
  Eigen::Array3i index(const Vec3& p) const {
    const Eigen::Array3d cells = ((p - box_.min()) / cell_).array().floor();
    return cells.max(0.0).min((size_ - 1).cast<double>()).cast<int>();
  }
  std::size_t number(const Eigen::Array3i& at_cell) const {
    return at((at_cell[2] * size_[1] + at_cell[1]) * size_[0] + at_cell[0]);
  }
  Eigen::AlignedBox3d box_;
  double cell_ = 1;
  Eigen::Array3i size_ = Eigen::Array3i::Zero();
  std::vector<std::size_t> starts_, members_;
};

}  // namespace

SelfContact::SelfContact(const BccLattice& lattice, const Embedding& embedding, const Mesh& mesh,
                         double young)
    : lattice_(lattice), embedding_(embedding), rest_(mesh.positions), stiffness_(vertex_areas(mesh)) {
  for (double& area : stiffness_)
    area = std::min(area, lattice.cell * lattice.cell) * kContactStiffness * young / lattice.cell;
}

/// Barycentric coordinates of a point in a deformed tetrahedron; nothing where it is outside, or the
/// tetrahedron is too flat to hold anything.
std::optional<Vec4> SelfContact::place_in(TetId t, const NodePoints& nodes, const Vec3& point) const {
  const Mat3 edges = tet_edges(lattice_.mesh, nodes, t);
  const double volume = edges.determinant();
  if (!(volume > 6 * kFlattestElement * tet_volume(lattice_.mesh, t))) return std::nullopt;
  const Vec3 b = edges.inverse() * (point - nodes[lattice_.mesh.tets[t][0]]);
  if (b.minCoeff() < 0 || b.sum() > 1) return std::nullopt;
  return Vec4(1 - b.sum(), b[0], b[1], b[2]);
}

/// For each of the vertices the deepest tetrahedron of another part that it lies in, if any, in their order;
/// what is nearer than `same_part` cells at rest is none.
std::vector<SelfContact::Overlap> SelfContact::overlaps(const NodePoints& nodes,
                                                        const std::vector<VertexId>& of,
                                                        double same_part) const {
  const TetMesh& mesh = lattice_.mesh;
  const Points surface = embedding_.positions(nodes);
  std::vector<Vec3> points;
  for (VertexId v : of) points.push_back(surface[v]);
  const PointGrid grid(points, lattice_.cell);
  std::vector<std::vector<std::pair<std::size_t, Overlap>>> found(mesh.tet_count() / kTetsAtOnce + 1);
  const auto look_into = [&](TetId t, auto& into) {
    const std::array<NodeId, 4>& tet = mesh.tets[t];
    Eigen::AlignedBox3d box;
    for (NodeId v : tet) box.extend(nodes[v]);
    grid.visit(box, [&](std::size_t p) {
      // No point of a tetrahedron is further from a node of it than a cell: most need no closer look.
      const double from_node = (mesh.positions[tet[0]] - rest_[of[p]]).norm();
      if (from_node <= (same_part - 1) * lattice_.cell || !box.contains(points[p])) return;
      const std::optional<Vec4> weights = place_in(t, nodes, points[p]);
      if (!weights) return;
      Vec3 at_rest = Vec3::Zero();
      double depth = 0;
      for (int k = 0; k < 4; ++k) {
        at_rest += (*weights)[k] * mesh.positions[tet[at(k)]];
        depth += (*weights)[k] * lattice_.depth[tet[at(k)]];
      }
      if (depth > 0 && (at_rest - rest_[of[p]]).norm() > same_part * lattice_.cell)
        into.push_back({p, {of[p], {t, *weights}, depth}});
    });
  };
  parallel_for(found.size(), [&](std::size_t i) {
    const std::size_t end = std::min((i + 1) * kTetsAtOnce, mesh.tet_count());
    for (std::size_t t = i * kTetsAtOnce; t < end; ++t) look_into(TetId(t), found[i]);
  });
  std::vector<Overlap> deepest(of.size());
  for (const auto& some : found)
    for (const auto& [p, one] : some)
      if (one.depth > deepest[p].depth) deepest[p] = one;
  std::erase_if(deepest, [](const Overlap& one) { return !(one.depth > 0); });
  return deepest;
}

/// Those that are deeper than in the animation, by how much.
std::vector<SelfContact::Overlap> SelfContact::beyond(const NodePoints& nodes,
                                                      const NodePoints& animated) const {
  std::vector<VertexId> all;
  for (VertexId v : ids<VertexId>(embedding_.size())) all.push_back(v);
  std::vector<Overlap> now = overlaps(nodes, all, kSamePart);
  std::vector<VertexId> some;
  for (const Overlap& one : now) some.push_back(one.vertex);
  const std::vector<Overlap> before = overlaps(animated, some, kSamePartAnimated);
  for (auto [one, other] = std::pair(now.begin(), before.begin()); one != now.end(); ++one) {
    while (other != before.end() && other->vertex < one->vertex) ++other;
    if (other != before.end() && other->vertex == one->vertex) one->depth -= other->depth;
  }
  std::erase_if(now, [](const Overlap& one) { return !(one.depth > 0); });
  return now;
}

/// Where both points of an overlap are in the animation: the way from that of the other part to the vertex.
/// Gone along it, the vertex lies in the other part as it does there.
Vec3 SelfContact::animated_way(const Overlap& one, const NodePoints& animated) const {
  Vec3 way = Vec3::Zero();
  for (int k = 0; k < 4; ++k)
    way += embedding_[one.vertex].barycentric[k] * animated[embedding_.nodes(one.vertex)[at(k)]] -
           one.in.barycentric[k] * animated[lattice_.mesh.tets[one.in.tet][at(k)]];
  return way;
}

/// With the rest position X of a point x of the deformed tetrahedron, the depth d(X) changes along x by
/// F⁻ᵀ ∇d, F = dx/dX. Near the middle between two sides the other one may be nearer than the one that the
/// vertex came from: it is never pushed further than the animation has it, and straight there where the depth
/// leads away from that.
std::vector<FleshContact> SelfContact::contacts(const NodePoints& ahead, const NodePoints& animated) const {
  const TetMesh& mesh = lattice_.mesh;
  std::vector<FleshContact> out;
  for (const Overlap& one : beyond(ahead, animated)) {
    const std::array<NodeId, 4>& tet = mesh.tets[one.in.tet];
    Vec3 rise;  // of the depth along the edges
    for (int k = 0; k < 3; ++k) rise[k] = lattice_.depth[tet[at(k + 1)]] - lattice_.depth[tet[0]];
    const Vec3 slope = tet_edges(mesh, ahead, one.in.tet).inverse().transpose() * rise;
    const double steepness = slope.norm();
    if (!(steepness > 0)) continue;
    const Vec3 back = animated_way(one, animated);
    Vec3 normal = -slope / steepness;
    // In the middle between two sides the depth hardly changes.
    double way = std::min(one.depth / std::max(steepness, 0.5), kLongestPush * lattice_.cell);
    if (!(normal.dot(back) > 0)) normal = back.normalized();
    way = std::min(way, normal.dot(back));
    if (way > 0) out.push_back({embedding_[one.vertex], one.in, normal, way, stiffness_[one.vertex]});
  }
  return out;
}

double SelfContact::deepest(const NodePoints& nodes, const NodePoints& animated) const {
  double most = 0;
  for (const Overlap& one : beyond(nodes, animated)) most = std::max(most, one.depth);
  return most;
}

}  // namespace cutis
