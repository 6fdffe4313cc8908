#pragma once

#include <Eigen/SparseCore>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Lengths of the edges of a triangle mesh [m], mollified: where some triangle has a + b < c + delta, with
/// delta = 1e-10 of the mean length, all edges grow by the one smallest length that mends it (Sharp and Crane
/// 2020, "A Laplacian for Nonmanifold Triangle Meshes"), so that slivers and faces of no area keep finite
/// angles. Sound meshes keep their exact lengths. Throws InputError when a face is not a triangle, a position
/// is not finite, or all edges are of no length.
IdVector<EdgeId, double> mollified_lengths(const Topology& topology, const Points& positions);
/// The same for lengths of any unit.
IdVector<EdgeId, double> mollified(const Topology& topology, IdVector<EdgeId, double> lengths);

/// The third corner of a triangle laid into the plane with its first side from the origin to (a, 0); b and c
/// are the next two sides, counter-clockwise. y >= 0. Stable for needles.
Vec2 triangle_apex(double a, double b, double c);

/// A triangulation known by its edge lengths alone: the same vertices and the same flat-sided surface as a
/// triangle mesh, with edges that run straight across its faces. Starts as the mesh itself; flipped to
/// Delaunay, all cotangent weights inside are non-negative. Two triangles may share more than one edge, and
/// an edge may return to its own vertex.
///
/// Half-edges 3 t, 3 t + 1, 3 t + 2 run around triangle t, counter-clockwise. Same input, same bits.
class IntrinsicTriangulation {
 public:
  /// Throws what mollified_lengths throws.
  IntrinsicTriangulation(const Topology& topology, const Points& positions);

  /// Flips edges until every inner one is Delaunay (the two angles that face it sum to a half turn at most,
  /// up to rounding). Returns the number of flips.
  int make_delaunay();

  std::size_t vertex_count() const { return vertex_count_; }
  std::size_t face_count() const { return twin_.size() / 3; }
  std::size_t halfedge_count() const { return twin_.size(); }
  static HalfedgeId next(HalfedgeId h) { return HalfedgeId(h.value % 3 == 2 ? h.value - 2 : h.value + 1); }
  static HalfedgeId prev(HalfedgeId h) { return HalfedgeId(h.value % 3 == 0 ? h.value + 2 : h.value - 1); }
  HalfedgeId twin(HalfedgeId h) const { return twin_[h]; }  ///< invalid along a border
  VertexId from(HalfedgeId h) const { return from_[h]; }
  VertexId to(HalfedgeId h) const { return from_[next(h)]; }
  double length(HalfedgeId h) const { return length_[h]; }  ///< [m]
  bool flipped(HalfedgeId h) const { return flipped_[h]; }  ///< the edge is none of the mesh's own
  /// Which way the half-edge leaves its vertex: counter-clockwise angle from the mesh's
  /// topology.halfedge(from(h)) [rad], 0 .. total angle. Traced that way over the mesh for its length, it
  /// ends in to(h).
  double direction(HalfedgeId h) const { return direction_[h]; }

  double area(FaceId f) const;                  ///< [m²]
  double corner_angle(HalfedgeId h) const;      ///< at from(h), in the half-edge's triangle [rad]
  double corner_cotangent(HalfedgeId h) const;  ///< of the same angle
  /// Half the sum of the cotangents of the angles that face the edge (of one angle on a border).
  double cotangent_weight(HalfedgeId h) const;

  /// Positive semi-definite cotangent Laplacian: (L u)_i = sum_j w_ij (u_i - u_j). Every vertex has a
  /// diagonal entry; the pattern follows from the connectivity alone.
  Eigen::SparseMatrix<double> laplacian() const;
  /// A third of the area of the triangles around each vertex [m²], on the diagonal.
  Eigen::SparseMatrix<double> lumped_mass() const;

 private:
  std::size_t vertex_count_ = 0;
  IdVector<HalfedgeId, HalfedgeId> twin_;
  IdVector<HalfedgeId, VertexId> from_;
  IdVector<HalfedgeId, double> length_;
  IdVector<HalfedgeId, double> direction_;
  IdVector<HalfedgeId, char> flipped_;
  IdVector<VertexId, double> full_turn_;  ///< where directions wrap; infinite on a border

  bool needs_flip(HalfedgeId h) const;
  void flip(HalfedgeId h);
  void join(HalfedgeId h, HalfedgeId twin);
  double wrapped(VertexId v, double angle) const;
};

}  // namespace cutis
