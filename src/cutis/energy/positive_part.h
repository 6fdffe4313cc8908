#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// The part of a symmetric matrix with eigenvalues above zero.
Mat2 positive_part(const Mat2& m);
Eigen::Matrix<double, 5, 5> positive_part(const Eigen::Matrix<double, 5, 5>& m);
Eigen::Matrix<double, 6, 6> positive_part(const Eigen::Matrix<double, 6, 6>& m);
Eigen::Matrix<double, 12, 12> positive_part(const Eigen::Matrix<double, 12, 12>& m);

/// Without a share, 0 to 1, of its negative curvature.
template <class Matrix>
Matrix partly_projected(const Matrix& m, double share) {
  return share > 0 ? Matrix(m + share * (positive_part(m) - m)) : m;
}

}  // namespace cutis
