#include "cutis/wrinkle/adapt/metric_tensor.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace cutis {

Mat2 stricter(const Mat2& a, const Mat2& b) {
  // a = L Lᵀ; where a measures 1 in all directions, b is L⁻¹ b L⁻ᵀ.
  Mat2 L = Mat2::Zero();
  L(0, 0) = std::sqrt(a(0, 0));
  L(1, 0) = a(1, 0) / L(0, 0);
  L(1, 1) = std::sqrt(std::max(a(1, 1) - L(1, 0) * L(1, 0), 1e-300));
  const Mat2 inverse = L.inverse();
  const Eigen::SelfAdjointEigenSolver<Mat2> b_there(inverse * b * inverse.transpose());
  const Mat2 axes = L * b_there.eigenvectors();
  return axes * b_there.eigenvalues().cwiseMax(1.0).asDiagonal() * axes.transpose();
}

Mat2 limited(const Mat2& metric, double smallest, double largest, double max_aspect) {
  const Eigen::SelfAdjointEigenSolver<Mat2> eigen(metric);
  const double strictest = smallest > 0 ? 1 / (smallest * smallest) : INFINITY;
  Vec2 values = eigen.eigenvalues().cwiseMax(1 / (largest * largest)).cwiseMin(strictest);
  values = values.cwiseMax(values.maxCoeff() / (max_aspect * max_aspect));
  return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace cutis
