#include "cutis/flesh/lattice/tet_mesh.h"

#include <Eigen/LU>

#include "cutis/core/disjoint_sets.h"

namespace cutis {

Mat3 tet_edges(const TetMesh& mesh, const NodePoints& positions, TetId t) {
  const std::array<NodeId, 4>& n = mesh.tets[t];
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = positions[n[at(k + 1)]] - positions[n[0]];
  return edges;
}

double tet_volume(const TetMesh& mesh, const NodePoints& positions, TetId t) {
  return tet_edges(mesh, positions, t).determinant() / 6;
}

double tet_volume(const TetMesh& mesh, TetId t) { return tet_volume(mesh, mesh.positions, t); }

Vec4 barycentric(const TetMesh& mesh, TetId t, const Vec3& point) {
  const Vec3 x = tet_edges(mesh, mesh.positions, t).inverse() * (point - mesh.positions[mesh.tets[t][0]]);
  return {1 - x.sum(), x[0], x[1], x[2]};
}

Eigen::Matrix<double, 3, 4> barycentric_gradients(const TetMesh& mesh, TetId t) {
  Eigen::Matrix<double, 3, 4> gradients;
  gradients.rightCols<3>() = tet_edges(mesh, mesh.positions, t).inverse().transpose();
  gradients.col(0) = -gradients.rightCols<3>().rowwise().sum();
  return gradients;
}

int connected_components(const TetMesh& mesh, IdVector<NodeId, int>& component) {
  DisjointSets sets(mesh.node_count());
  for (const std::array<NodeId, 4>& tet : mesh.tets)
    for (std::size_t k = 1; k < 4; ++k) sets.join(tet[0].index(), tet[k].index());
  return sets.numbered(component.raw());
}

}  // namespace cutis
