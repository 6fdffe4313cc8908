#pragma once

#include <span>
#include <vector>

#include "cutis/core/id.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Who is whose neighbour on a manifold polygon mesh: half-edges, with or without borders. Holds no
/// positions, so one topology serves every frame.
///
/// Half-edges 0 .. corner_count-1 are the face corners they leave, in the mesh's own numbering; the rest run
/// along borders, have no face, and lead around the hole.
class Topology {
 public:
  /// Throws InputError naming the place when an edge has more than two faces or two neighbours disagree about
  /// their orientation, or when a vertex joins two fans (diagnose() and repair() know what to do about them).
  explicit Topology(const Mesh& mesh);

  std::size_t vertex_count() const { return vertex_halfedge_.size(); }
  std::size_t face_count() const { return face_halfedge_.size(); }
  std::size_t edge_count() const { return edge_halfedge_.size(); }
  std::size_t halfedge_count() const { return next_.size(); }
  std::size_t corner_count() const { return corner_count_; }

  HalfedgeId next(HalfedgeId h) const { return next_[h]; }
  HalfedgeId prev(HalfedgeId h) const { return prev_[h]; }
  HalfedgeId twin(HalfedgeId h) const { return twin_[h]; }
  VertexId from(HalfedgeId h) const { return from_[h]; }
  VertexId to(HalfedgeId h) const { return from_[twin_[h]]; }
  FaceId face(HalfedgeId h) const { return face_[h]; }  ///< invalid along a border
  EdgeId edge(HalfedgeId h) const { return edge_[h]; }
  bool is_border(HalfedgeId h) const { return h.index() >= corner_count_; }

  HalfedgeId halfedge(FaceId f) const { return face_halfedge_[f]; }  ///< leaves the face's first corner
  HalfedgeId halfedge(EdgeId e) const {
    return edge_halfedge_[e];
  }  ///< the one of the two with a face, lower index
  /// Leaves the vertex; on a border it is the first with a face counter-clockwise, so that
  /// h -> twin(prev(h)) walks through all faces. Invalid when the vertex has no face.
  HalfedgeId halfedge(VertexId v) const { return vertex_halfedge_[v]; }
  bool is_border(EdgeId e) const { return is_border(twin_[edge_halfedge_[e]]); }
  bool is_border(VertexId v) const;
  /// From a to b, or invalid when no edge joins them.
  HalfedgeId find(VertexId a, VertexId b) const;

  /// The next half-edge that leaves the same vertex, counter-clockwise: may be a border half-edge, which
  /// comes last.
  HalfedgeId rotate(HalfedgeId h) const { return twin_[prev_[h]]; }

  /// One half-edge (without a face) for each border loop.
  std::vector<HalfedgeId> border_loops() const;
  /// The connected component of each face, numbered from 0 by first face.
  IdVector<FaceId, int> components() const;

 private:
  std::size_t corner_count_ = 0;
  IdVector<HalfedgeId, HalfedgeId> next_, prev_, twin_;
  IdVector<HalfedgeId, VertexId> from_;
  IdVector<HalfedgeId, FaceId> face_;
  IdVector<HalfedgeId, EdgeId> edge_;
  IdVector<FaceId, HalfedgeId> face_halfedge_;
  IdVector<EdgeId, HalfedgeId> edge_halfedge_;
  IdVector<VertexId, HalfedgeId> vertex_halfedge_;

  void link_faces(const Mesh& mesh);
  void pair_twins();
  void link_borders();
  void choose_representatives();
  void check_fans() const;
};

}  // namespace cutis
