#include "cutis/energy/positive_part.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace cutis {
namespace {

template <class Matrix>
Matrix without_negative_eigenvalues(const Matrix& m) {
  if (Eigen::LLT<Matrix>(m).info() == Eigen::Success) return m;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(m);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() *
         solver.eigenvectors().transpose();
}

}  // namespace

Mat2 positive_part(const Mat2& m) {
  const double mean = 0.5 * m.trace(), half = 0.5 * (m(0, 0) - m(1, 1));
  const double radius = std::hypot(half, m(1, 0));
  if (mean >= radius) return m;
  if (mean <= -radius) return Mat2::Zero();
  // One eigenvalue above zero, mean + radius, with the projector (I + (m - mean I) / radius) / 2.
  return (mean + radius) * 0.5 * (Mat2::Identity() + (m - mean * Mat2::Identity()) / radius);
}

Eigen::Matrix<double, 5, 5> positive_part(const Eigen::Matrix<double, 5, 5>& m) {
  return without_negative_eigenvalues(m);
}

Eigen::Matrix<double, 6, 6> positive_part(const Eigen::Matrix<double, 6, 6>& m) {
  return without_negative_eigenvalues(m);
}

Eigen::Matrix<double, 12, 12> positive_part(const Eigen::Matrix<double, 12, 12>& m) {
  return without_negative_eigenvalues(m);
}

}  // namespace cutis
