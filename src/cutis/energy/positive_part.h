#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// The part of a symmetric matrix with eigenvalues above zero.
Mat2 positive_part(const Mat2& m);
Eigen::Matrix<double, 6, 6> positive_part(const Eigen::Matrix<double, 6, 6>& m);

}  // namespace cutis
