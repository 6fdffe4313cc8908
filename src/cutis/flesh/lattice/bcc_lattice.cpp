#include "cutis/flesh/lattice/bcc_lattice.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/disjoint_sets.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/flesh/distance/outward_triangles.h"
#include "cutis/flesh/lattice/body_frame.h"
#include "cutis/flesh/lattice/lattice_tets.h"

namespace cutis {
namespace {

// Samples of the tetrahedra lie as far apart: finer voxels would hold nothing that is asked for.
constexpr double kVoxelsPerCell = 4;
constexpr double kMostCellsAcross = 2000;

/// Gives each part of the body in a tetrahedron its copy, and joins the nodes of copies whose parts are
/// connected across the face between them.
class LatticeGluer {
 public:
  LatticeGluer(const BccGrid& grid, const LatticeTets& tets)
      : grid_(grid), tets_(tets), first_copy_(count_copies(tets)), nodes_(4 * first_copy_.back()) {}

  BccLattice lattice(std::size_t faces) {
    for (std::size_t t = 0; t < tets_.size(); ++t) glue_to_neighbours(t);
    node_count_ = at(nodes_.numbered(node_of_slot_));
    BccLattice lattice;
    add_nodes(lattice);
    add_tets(lattice);
    add_faces(lattice, faces);
    return lattice;
  }

  /// Whether a node lies in the part of the body that it belongs to.
  const IdVector<NodeId, char>& in_body() const { return in_body_; }

 private:
  const BccGrid& grid_;
  const LatticeTets& tets_;
  std::vector<std::size_t> first_copy_;  ///< tetrahedra + 1
  DisjointSets nodes_;                   ///< of slots, four per copy
  std::vector<int> node_of_slot_;
  std::size_t node_count_ = 0;
  IdVector<NodeId, char> in_body_;
  std::vector<TetId> tet_of_copy_;

  static std::vector<std::size_t> count_copies(const LatticeTets& tets) {
    std::vector<std::size_t> first(1, 0);
    for (const CutTet& cut : tets.cuts) first.push_back(first.back() + at(cut.parts));
    return first;
  }
  std::size_t slot(std::size_t t, int part, std::size_t corner) const {
    return 4 * (first_copy_[t] + at(part)) + corner;
  }

  void glue_to_neighbours(std::size_t t) {
    const BccTet tet = tets_.tet(t);
    for (int k = 0; k < 4; ++k) {
      const BccTet other = tet.neighbour(k);
      const std::size_t o = tets_.find(other);
      if (o < tets_.size() && t < o) glue(t, tet, k, o, other);
    }
  }

  void glue(std::size_t t, const BccTet& tet, int opposite, std::size_t o, const BccTet& other) {
    std::array<std::size_t, 4> match{4, 4, 4, 4};
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t l = 0; l < 4; ++l)
        if (tet.nodes()[k] == other.nodes()[l]) match[k] = l;
    for (const auto& [part, other_part] : connected_parts(t, opposite, o, match))
      for (std::size_t k = 0; k < 4; ++k)
        if (match[k] < 4) nodes_.join(slot(t, part, k), slot(o, other_part, match[k]));
  }

  /// Parts of two neighbours that share a sample on the face between them, or a face of the surface.
  std::vector<std::pair<int, int>> connected_parts(std::size_t t, int opposite, std::size_t o,
                                                   const std::array<std::size_t, 4>& match) const {
    const CutTet &cut = tets_.cuts[t], &other = tets_.cuts[o];
    if (cut.parts == 1 && other.parts == 1 && tets_.faces_of(t).empty() && tets_.faces_of(o).empty())
      return {{0, 0}};
    std::vector<std::pair<int, int>> parts;
    const TetSubdivision& table = TetSubdivision::table();
    for (int s : table.on_face(opposite)) {
      std::array<int, 4> weights{};
      for (std::size_t k = 0; k < 4; ++k)
        if (match[k] < 4) weights[match[k]] = table.weights()[at(s)][k];
      const int a = cut.part_of_sample[at(s)], b = other.part_of_sample[at(table.sample(weights))];
      if (a >= 0 && b >= 0) parts.emplace_back(a, b);
    }
    const auto mine = tets_.faces_of(t), theirs = tets_.faces_of(o);
    for (std::size_t i = 0, j = 0; i < mine.size() && j < theirs.size();) {
      if (mine[i] == theirs[j]) parts.emplace_back(cut.part_of_face[i], other.part_of_face[j]);
      mine[i] < theirs[j] ? ++i : ++j;
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
  }

  void add_nodes(BccLattice& lattice) {
    const TetSubdivision& table = TetSubdivision::table();
    lattice.mesh.positions.resize(node_count_);
    in_body_.assign(node_count_, 0);
    for (std::size_t t = 0; t < tets_.size(); ++t)
      for (int part = 0; part < tets_.cuts[t].parts; ++part)
        for (std::size_t k = 0; k < 4; ++k) {
          const NodeId n(node_of_slot_[slot(t, part, k)]);
          lattice.mesh.positions[n] = grid_.position(tets_.tet(t).nodes()[k]);
          if (tets_.cuts[t].part_of_sample[at(table.corner(static_cast<int>(k)))] == part) in_body_[n] = 1;
        }
  }

  std::array<NodeId, 4> nodes_of(std::size_t copy) const {
    std::array<NodeId, 4> nodes;
    for (std::size_t k = 0; k < 4; ++k) nodes[k] = NodeId(node_of_slot_[4 * copy + k]);
    return nodes;
  }

  /// Parts whose four nodes have all become the same are connected around the tetrahedron: one copy holds
  /// them.
  void add_tets(BccLattice& lattice) {
    for (std::size_t t = 0; t < tets_.size(); ++t)
      for (std::size_t copy = first_copy_[t]; copy < first_copy_[t + 1]; ++copy) {
        TetId same;
        for (std::size_t earlier = first_copy_[t]; earlier < copy && !same.valid(); ++earlier)
          if (nodes_of(earlier) == nodes_of(copy)) same = tet_of_copy_[earlier];
        const double fill = tets_.cuts[t].fill[copy - first_copy_[t]];
        tet_of_copy_.push_back(same.valid() ? same : lattice.mesh.tets.push_back(nodes_of(copy)));
        if (same.valid())
          lattice.fill[same] += fill;
        else
          lattice.fill.push_back(fill);
      }
    for (double& fill : lattice.fill) fill = std::clamp(fill, kMinFill, 1.0);
  }

  void add_faces(BccLattice& lattice, std::size_t faces) const {
    std::vector<std::pair<FaceId, TetId>> pairs;
    for (std::size_t t = 0; t < tets_.size(); ++t)
      for (std::size_t i = 0; i < tets_.faces_of(t).size(); ++i)
        pairs.emplace_back(tets_.faces_of(t)[i],
                           tet_of_copy_[first_copy_[t] + at(tets_.cuts[t].part_of_face[i])]);
    std::sort(pairs.begin(), pairs.end());
    lattice.face_starts.assign(faces + 1, 0);
    for (const auto& [face, tet] : pairs) {
      ++lattice.face_starts[face.index() + 1];
      lattice.face_tets.push_back(tet);
    }
    for (std::size_t f = 0; f < faces; ++f) lattice.face_starts[f + 1] += lattice.face_starts[f];
  }
};

void check_cell(const Mesh& triangles, double cell) {
  const double size = bounding_diagonal(triangles.positions.raw());
  if (!(cell > 0 && cell * kMostCellsAcross >= size))
    throw InputError(
        fmt::format("flesh: cells of {} m for a body of {} m: between 1 and {} cells fit across it", cell,
                    size, kMostCellsAcross));
}

/// In the body's own frame, in cells: a copy of the body that is turned, moved or has another unit gets the
/// same lattice. A node lies in its centre: the lattice has the mirror planes that a body usually has.
Mesh in_cells(const Mesh& triangles, const BodyFrame& frame, double cell) {
  Mesh out = triangles;
  for (Vec3& x : out.positions) x = frame.axes.transpose() * (x - frame.origin) / cell;
  return out;
}

}  // namespace

BccLattice bcc_lattice(const Mesh& triangles, double cell) {
  const std::vector<IndexTriangle> outward = outward_triangles(triangles);
  check_cell(triangles, cell);
  const BodyFrame frame = body_frame(triangles);
  const Mesh mesh = in_cells(triangles, frame, cell);
  const BccGrid grid;
  const SignedDistance distance(mesh, 1 / kVoxelsPerCell);
  std::vector<Vec3> points(mesh.vertex_count());
  for (std::size_t v = 0; v < points.size(); ++v) points[v] = grid.half_cells(mesh.positions.raw()[v]);
  const LatticeTets tets = lattice_tets(grid, distance, {points, outward});

  LatticeGluer gluer(grid, tets);
  BccLattice lattice = gluer.lattice(mesh.face_count());
  lattice.cell = cell;
  lattice.depth.resize(lattice.mesh.node_count());
  parallel_for(lattice.mesh.node_count(), [&](std::size_t i) {
    Vec3& x = lattice.mesh.positions[NodeId(i)];
    const double below = cell * distance.unsigned_distance(x);
    lattice.depth[NodeId(i)] = gluer.in_body()[NodeId(i)] ? below : -below;
    x = frame.origin + cell * (frame.axes * x);
  });
  return lattice;
}

}  // namespace cutis
