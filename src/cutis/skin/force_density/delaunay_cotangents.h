#pragma once

#include <vector>

#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Cotangents of a triangle mesh flipped to its intrinsic Delaunay edges, so that the weight of no inner edge
/// is negative; for one mesh at many positions. The lean brother of IntrinsicTriangulation: it knows no
/// directions, starts from the edges that need a flip, and keeps its memory.
class DelaunayCotangents {
 public:
  /// A mesh of triangles.
  explicit DelaunayCotangents(const Topology& topology);

  /// Returns the number of flips. Same input, same bits.
  int update(const Points& positions);

  // Half-edges 3 t, 3 t + 1, 3 t + 2 run around triangle t.
  std::size_t halfedge_count() const { return twin_.size(); }
  int twin(int h) const { return twin_[static_cast<std::size_t>(h)]; }  ///< -1 along a border
  int from(int h) const { return from_[static_cast<std::size_t>(h)]; }
  int to(int h) const { return from_[static_cast<std::size_t>(next(h))]; }
  /// Of the angle that faces the half-edge.
  double cotangent(int h) const { return cotangent_[static_cast<std::size_t>(h)]; }
  static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static int prev(int h) { return h % 3 == 0 ? h + 2 : h - 1; }

 private:
  std::vector<int> mesh_twin_, mesh_from_;  ///< before any flip
  std::vector<int> twin_, from_;
  std::vector<double> cotangent_;
  std::vector<double> twice_area_;  ///< of the triangles [m²]
  std::vector<int> queue_;
  bool flipped_ = false;

  void measure(const Points& positions);
  bool needs_flip(int h) const;
  void flip(int h);
  void set_triangle(int h, const Vec2& a, const Vec2& b, const Vec2& c);
};

}  // namespace cutis
