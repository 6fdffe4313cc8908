#pragma once

#include "cutis/flesh/lattice/bcc_lattice.h"

namespace cutis {

/// A point that moves with a tetrahedron.
struct TetPoint {
  TetId tet;
  Vec4 barycentric = Vec4::Zero();  ///< sums to one; a negative one means outside
  bool operator==(const TetPoint&) const = default;
};

/// The place of a point of a face of the surface [m] in a tetrahedron of that face's own side.
TetPoint embedded(const BccLattice& lattice, FaceId face, const Vec3& position);

/// The vertices of a surface embedded in a lattice: each follows one tetrahedron linearly, so any affine
/// motion of the nodes moves the surface exactly.
///
/// A motion that is not affine within a tetrahedron leaves a residual. It can be carried along as an offset
/// in a frame that turns with the tetrahedron: local_offsets() of a target that the nodes follow, added to
/// other positions of the nodes, gives the target back wherever the nodes are where they were.
class Embedding {
 public:
  /// `mesh` is what the lattice was made of. A vertex of no face lies in the tetrahedron whose centroid is
  /// nearest.
  Embedding(const BccLattice& lattice, const Mesh& mesh);

  std::size_t size() const { return points_.size(); }
  const TetPoint& operator[](VertexId v) const { return points_[v]; }
  const IdVector<VertexId, TetPoint>& points() const { return points_; }
  const std::array<NodeId, 4>& nodes(VertexId v) const { return mesh_.tets[points_[v].tet]; }

  Points positions(const NodePoints& nodes) const;
  Points positions(const NodePoints& nodes, const Points& local_offsets) const;
  /// What is missing from the embedded positions to `surface`, in the frames of the tetrahedra [m].
  Points local_offsets(const NodePoints& nodes, const Points& surface) const;

  /// The transpose of positions(): forces [N] on the vertices as forces on the nodes.
  NodePoints to_nodes(const Points& forces) const;
  /// Masses [kg] of the vertices given to the nodes, by barycentric coordinates: the sum stays.
  IdVector<NodeId, double> to_nodes(const IdVector<VertexId, double>& masses) const;

 private:
  TetMesh mesh_;
  IdVector<VertexId, TetPoint> points_;

  Vec3 position(const NodePoints& nodes, VertexId v) const;
  Mat3 frame(const NodePoints& nodes, VertexId v) const;
};

}  // namespace cutis
