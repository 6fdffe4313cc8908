#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// The energy of one element [J] with its derivatives by the positions of its vertices: x0 y0 z0 x1 y1 ...
template <int Vertices>
struct EnergyGradient {
  static constexpr int size = 3 * Vertices;
  double energy = 0;
  Eigen::Matrix<double, size, 1> gradient = Eigen::Matrix<double, size, 1>::Zero();
};
template <int Vertices>
struct EnergyJet : EnergyGradient<Vertices> {
  static constexpr int size = 3 * Vertices;
  Eigen::Matrix<double, size, size> hessian = Eigen::Matrix<double, size, size>::Zero();
};

/// The same for vertices that move in two directions each: the Hessian by how far they go along them.
template <int Vertices>
struct TangentJet : EnergyGradient<Vertices> {
  Eigen::Matrix<double, 2 * Vertices, 2 * Vertices> hessian =
      Eigen::Matrix<double, 2 * Vertices, 2 * Vertices>::Zero();
};

}  // namespace cutis
