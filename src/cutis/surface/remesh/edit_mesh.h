#pragma once

#include "cutis/surface/mesh/topology.h"
#include "cutis/surface/remesh/feature_lines.h"

namespace cutis {

/// A triangle mesh whose connectivity changes: edges are split, collapsed and flipped, one at a time, and the
/// mesh stays manifold. Holds no positions. Half-edges 3 f .. 3 f + 2 belong to face f; borders have none.
/// Sides that run along a feature line carry the stretch of it that they stand for.
class EditMesh {
 public:
  EditMesh(const Topology& triangles, const FeatureLines& lines);
  /// With the span of each side, invalid for sides on no line. Borders must be on a line.
  EditMesh(const Topology& triangles, const IdVector<CornerId, LineSpan>& spans);

  /// Vertices and half-edges ever made; some of them are gone.
  std::size_t vertex_count() const { return vertex_halfedge_.size(); }
  std::size_t halfedge_count() const { return sides_.size(); }
  bool alive(HalfedgeId h) const { return sides_[h].from.valid(); }

  static HalfedgeId next(HalfedgeId h) { return HalfedgeId(h.value % 3 == 2 ? h.value - 2 : h.value + 1); }
  static HalfedgeId prev(HalfedgeId h) { return HalfedgeId(h.value % 3 == 0 ? h.value + 2 : h.value - 1); }
  HalfedgeId twin(HalfedgeId h) const { return sides_[h].twin; }  ///< invalid on a border
  VertexId from(HalfedgeId h) const { return sides_[h].from; }
  VertexId to(HalfedgeId h) const { return sides_[next(h)].from; }
  VertexId opposite(HalfedgeId h) const { return sides_[prev(h)].from; }
  const LineSpan& line(HalfedgeId h) const { return sides_[h].line; }
  /// Whether h stands for its edge: true for one of the two.
  bool first_of_edge(HalfedgeId h) const { return alive(h) && !(twin(h) < h && twin(h).valid()); }

  /// Leaves v; on a border it is the one that runs along it. Invalid when v has no face.
  HalfedgeId halfedge(VertexId v) const { return vertex_halfedge_[v]; }
  bool is_border(VertexId v) const { return !twin(vertex_halfedge_[v]).valid(); }
  std::size_t valence(VertexId v) const;  ///< edges of v
  /// Calls f(h) for the half-edges (with a face) that leave v, counter-clockwise.
  template <class F>
  void for_each_leaving(VertexId v, const F& f) const;
  /// Calls f(h, leaves) for all edges of v; `leaves` is false for the border half-edge that arrives.
  template <class F>
  void for_each_edge(VertexId v, const F& f) const;

  bool can_split(HalfedgeId h) const { return !twin(h).valid() || opposite(h) != opposite(twin(h)); }
  /// Puts a vertex on the edge, in the middle of its line span where it has one.
  VertexId split(HalfedgeId h);
  /// No for lines and borders, and where the new edge exists already.
  bool can_flip(HalfedgeId h) const;
  void flip(HalfedgeId h);
  /// Whether the edge can become a point without a change of shape (the link condition) or of lines.
  bool can_collapse(HalfedgeId h) const;
  /// Takes away `removed`, an end of h; its faces get the other end.
  void collapse(HalfedgeId h, VertexId removed);
  /// Moves the place where the two sides at v divide their line by `shift` along it [m].
  void shift_on_line(VertexId v, double shift);

 private:
  struct Side {
    VertexId from;  ///< invalid when the face is gone
    HalfedgeId twin;
    LineSpan line;
  };
  IdVector<HalfedgeId, Side> sides_;
  IdVector<VertexId, HalfedgeId> vertex_halfedge_;

  bool joined(VertexId a, VertexId b) const;
  bool closes_well(HalfedgeId h) const;
  std::size_t common_neighbours(VertexId a, VertexId b) const;
  HalfedgeId add_face(VertexId a, VertexId b, VertexId c);
  void link(HalfedgeId a, HalfedgeId b);
  void move(HalfedgeId to, const Side& side);
  void set_line(HalfedgeId h, const LineSpan& span);
  void represent(VertexId v, HalfedgeId leaving);
  void close_face(HalfedgeId h);
};

template <class F>
void EditMesh::for_each_leaving(VertexId v, const F& f) const {
  const HalfedgeId start = vertex_halfedge_[v];
  HalfedgeId h = start;
  do {
    f(h);
    h = twin(prev(h));
  } while (h.valid() && h != start);
}

template <class F>
void EditMesh::for_each_edge(VertexId v, const F& f) const {
  for_each_leaving(v, [&](HalfedgeId h) {
    f(h, true);
    if (!twin(prev(h)).valid()) f(prev(h), false);
  });
}

}  // namespace cutis
