#pragma once

#include <vector>

#include "cutis/core/disjoint_sets.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/edge_table.h"

namespace cutis {

/// Where the faces of an oriented polygon soup hold together so that it is manifold: which sides are joined,
/// and the vertices that follow from it. Faces are simple (no vertex twice) and no two are the same. Part of
/// repair().
class Seams {
 public:
  /// Keeps a reference to the mesh.
  explicit Seams(const Mesh& mesh);

  /// The corners of one new vertex have one number: that of the first of them.
  std::size_t vertex(CornerId c) { return fans_.root(c.index()); }
  /// Edges that had more than two faces.
  const std::vector<EdgePlace>& split_edges() const { return split_edges_; }

 private:
  struct Match {
    int rank;       ///< 1 within a sheet
    double common;  ///< how smoothly the two sheets continue each other over all the edges they share
    double here;    ///< and at this one: cosine of the angle between the normals
    FaceId f, g;
    CornerId side, other;
  };

  const Mesh& mesh_;
  IdVector<CornerId, CornerId> after_, before_;
  IdVector<CornerId, CornerId> partner_;  ///< the side it is joined to, invalid at a border
  DisjointSets sheets_;                   ///< faces joined over edges of two faces
  DisjointSets fans_;                     ///< corners of one new vertex
  std::vector<EdgePlace> split_edges_;

  void join(CornerId g, CornerId h) {
    partner_[g] = h;
    partner_[h] = g;
  }
  void part(CornerId c) {
    if (partner_[c].valid()) partner_[partner_[c]] = CornerId();
    partner_[c] = CornerId();
  }
  void join_pairs(const EdgeTable& edges);
  void join_sheets(const EdgeTable& edges);
  std::vector<Match> matches_at(std::span<const EdgeSide> sides);
  void collect_fans();
  bool part_conflicts();
};

}  // namespace cutis
