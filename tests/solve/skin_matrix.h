#pragma once

#include <vector>

#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "support/meshes.h"

namespace cutis::test {

/// The lower triangle of a matrix with the pattern of a skin problem, 2 unknowns per vertex: for each
/// triangle a random positive semi-definite 6x6, and a little on the diagonal.
inline Eigen::SparseMatrix<double> skin_matrix(const Mesh& mesh, unsigned seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto corners = mesh.face(FaceId(f));
    Eigen::Matrix<double, 6, 3> B;
    for (double& b : B.reshaped()) b = random(-1, 1);
    const Eigen::Matrix<double, 6, 6> local = B * B.transpose();
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) {
        const int row = 2 * corners[std::size_t(a / 2)].value + a % 2;
        const int column = 2 * corners[std::size_t(b / 2)].value + b % 2;
        if (row >= column) triplets.emplace_back(row, column, local(a, b));
      }
  }
  const int n = 2 * static_cast<int>(mesh.vertex_count());
  for (int i = 0; i < n; ++i) triplets.emplace_back(i, i, 1e-2);
  Eigen::SparseMatrix<double> lower(n, n);
  lower.setFromTriplets(triplets.begin(), triplets.end());
  return lower;
}

}  // namespace cutis::test
