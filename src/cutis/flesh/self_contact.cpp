#include "cutis/flesh/self_contact.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
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

/// Points by the cell of a grid that they lie in.
class PointGrid {
 public:
  PointGrid(const std::vector<Vec3>& points, double cell) : cell_(cell) {
    for (std::size_t i = 0; i < points.size(); ++i) cells_[key(index(points[i]))].push_back(i);
  }
  /// Calls f(i) for each point in a cell that the box touches.
  template <class F>
  void visit(const Eigen::AlignedBox3d& box, const F& f) const {
    const Eigen::Array3i low = index(box.min()), high = index(box.max());
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x)
          if (const auto found = cells_.find(key({x, y, z})); found != cells_.end())
            for (std::size_t i : found->second) f(i);
  }

 private:
  Eigen::Array3i index(const Vec3& p) const { return (p / cell_).array().floor().cast<int>(); }
  static std::int64_t key(const Eigen::Array3i& at) {
    constexpr std::int64_t kSide = 1 << 21;
    return (at[0] * kSide + at[1]) * kSide + at[2];
  }
  double cell_;
  std::unordered_map<std::int64_t, std::vector<std::size_t>> cells_;
};

}  // namespace

SelfContact::SelfContact(const BccLattice& lattice, const Embedding& embedding, const Mesh& mesh,
                         double young)
    : lattice_(lattice), embedding_(embedding), rest_(mesh.positions), stiffness_(vertex_areas(mesh)) {
  for (double& area : stiffness_)
    area = std::min(area, lattice.cell * lattice.cell) * kContactStiffness * young / lattice.cell;
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
  std::vector<std::vector<std::pair<std::size_t, double>>> found(mesh.tet_count());  // place in `of`, depth
  parallel_for(mesh.tet_count(), [&](std::size_t i) {
    const TetId t(i);
    const std::array<NodeId, 4>& tet = mesh.tets[t];
    Eigen::AlignedBox3d box;
    for (NodeId v : tet) box.extend(nodes[v]);
    Mat3 inverse = Mat3::Zero();
    grid.visit(box, [&](std::size_t p) {
      if (!box.contains(points[p])) return;
      if (inverse.isZero(0)) {
        const Mat3 edges = tet_edges(mesh, nodes, t);
        if (!(edges.determinant() > 6 * kFlattestElement * tet_volume(mesh, t))) return;
        inverse = edges.inverse();
      }
      const Vec3 b = inverse * (points[p] - nodes[tet[0]]);
      if (b.minCoeff() < 0 || b.sum() > 1) return;
      const Vec4 weights(1 - b.sum(), b[0], b[1], b[2]);
      Vec3 at_rest = Vec3::Zero();
      double depth = 0;
      for (int k = 0; k < 4; ++k) {
        at_rest += weights[k] * mesh.positions[tet[at(k)]];
        depth += weights[k] * lattice_.depth[tet[at(k)]];
      }
      if (depth > 0 && (at_rest - rest_[of[p]]).norm() > same_part * lattice_.cell)
        found[i].emplace_back(p, depth);
    });
  });
  std::vector<Overlap> deepest(of.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& [p, depth] : found[i])
      if (depth > deepest[p].depth) deepest[p] = {of[p], TetId(i), depth};
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

/// With the rest position X of a point x of the deformed tetrahedron, the depth d(X) changes along x by
/// F⁻ᵀ ∇d, F = dx/dX.
std::vector<PlaneContact> SelfContact::contacts(const NodePoints& ahead, const NodePoints& animated) const {
  const TetMesh& mesh = lattice_.mesh;
  const Points surface = embedding_.positions(ahead);
  std::vector<PlaneContact> out;
  for (const Overlap& one : beyond(ahead, animated)) {
    const std::array<NodeId, 4>& tet = mesh.tets[one.tet];
    Vec3 rise;  // of the depth along the edges
    for (int k = 0; k < 3; ++k) rise[k] = lattice_.depth[tet[at(k + 1)]] - lattice_.depth[tet[0]];
    const Vec3 slope = tet_edges(mesh, ahead, one.tet).inverse().transpose() * rise;
    const double steepness = slope.norm();
    if (!(steepness > 0)) continue;
    const Vec3 outwards = -slope / steepness;
    const TetPoint& point = embedding_[one.vertex];
    // In the middle between two sides the depth hardly changes.
    const double way = std::min(one.depth / std::max(steepness, 0.5), kLongestPush * lattice_.cell);
    out.push_back({point.tet, point.barycentric, outwards, outwards.dot(surface[one.vertex]) + way,
                   stiffness_[one.vertex]});
  }
  return out;
}

double SelfContact::deepest(const NodePoints& nodes, const NodePoints& animated) const {
  double most = 0;
  for (const Overlap& one : beyond(nodes, animated)) most = std::max(most, one.depth);
  return most;
}

}  // namespace cutis
