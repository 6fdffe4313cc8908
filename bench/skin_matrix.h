#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "cutis/surface/mesh/mesh.h"

namespace cutis::bench {

/// What runs in an element of a membrane, two unknowns a corner, with some mass so that nothing is singular.
using SkinElement = Eigen::Matrix<double, 6, 6>;
inline SkinElement skin_element(std::size_t element) {
  Eigen::Matrix<double, 6, 3> B;
  for (int i = 0; i < 18; ++i) B(i) = std::sin(1.7 * i + 0.013 * static_cast<double>(element));
  return B * B.transpose() + 0.1 * SkinElement::Identity();
}

inline std::vector<SkinElement> skin_elements(const Mesh& mesh) {
  std::vector<SkinElement> all(mesh.face_count());
  for (std::size_t f = 0; f < all.size(); ++f) all[f] = skin_element(f);
  return all;
}

enum class Triangle { Both, Lower };

/// The entries of the matrix, those of each element after the other.
inline std::vector<Eigen::Triplet<double>> skin_triplets(const Mesh& mesh,
                                                         const std::vector<SkinElement>& elements,
                                                         Triangle triangle) {
  std::vector<Eigen::Triplet<double>> all;
  all.reserve((triangle == Triangle::Both ? 36 : 21) * mesh.face_count());
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto corners = mesh.face(FaceId(f));
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) {
        const int row = 2 * corners[std::size_t(a / 2)].value + a % 2;
        const int column = 2 * corners[std::size_t(b / 2)].value + b % 2;
        if (triangle == Triangle::Both || row >= column) all.emplace_back(row, column, elements[f](a, b));
      }
  }
  return all;
}

}  // namespace cutis::bench
