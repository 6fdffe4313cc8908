#pragma once

#include <array>
#include <vector>

#include "cutis/core/id.h"
#include "cutis/core/types.h"

namespace cutis {

using NodeId = Id<struct NodeTag>;  ///< of a tetrahedral mesh
using TetId = Id<struct TetTag>;
using NodePoints = IdVector<NodeId, Vec3>;

/// Tetrahedra at rest. Each is positively oriented: seen from its last node, the first three run clockwise.
struct TetMesh {
  NodePoints positions;  ///< at rest [m]
  IdVector<TetId, std::array<NodeId, 4>> tets;

  std::size_t node_count() const { return positions.size(); }
  std::size_t tet_count() const { return tets.size(); }
  bool operator==(const TetMesh&) const = default;
};

/// Edges from the first node of a tetrahedron to the other three, as columns.
Mat3 tet_edges(const TetMesh& mesh, const NodePoints& positions, TetId t);
/// Volume [m³], negative where the tetrahedron is inverted.
double tet_volume(const TetMesh& mesh, const NodePoints& positions, TetId t);
double tet_volume(const TetMesh& mesh, TetId t);
/// Barycentric coordinates at rest: they sum to one, and outside the tetrahedron some are negative.
Vec4 barycentric(const TetMesh& mesh, TetId t, const Vec3& point);
/// Gradients of the four barycentric coordinates at rest [1/m], as columns.
Eigen::Matrix<double, 3, 4> barycentric_gradients(const TetMesh& mesh, TetId t);

/// The connected component of each node, numbered from 0 by first node; returns how many there are. A node of
/// no tetrahedron is one by itself.
int connected_components(const TetMesh& mesh, IdVector<NodeId, int>& component);

}  // namespace cutis
