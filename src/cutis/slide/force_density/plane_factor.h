#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "cutis/core/types.h"

namespace cutis {

/// L D Lᵀ of a symmetric positive definite matrix, kept to be applied often to points of the plane: both
/// coordinates at once, in the factor's own order, with nothing allocated. For a factor that is renewed each
/// frame SparseCholesky is faster.
class PlaneFactor {
 public:
  /// `lower`: the lower triangle. Empty when the matrix is not positive definite.
  explicit PlaneFactor(const Eigen::SparseMatrix<double>& lower);

  std::size_t size() const { return inverse_diagonal_.size(); }
  /// Where row i of the matrix stands in the order of the factor.
  int place(int i) const { return place_[static_cast<std::size_t>(i)]; }
  /// x = A⁻¹ x, in the order of the factor.
  void solve_in_place(std::vector<Vec2>& x) const;

 private:
  std::vector<int> place_;
  std::vector<int> first_, row_;  ///< columns of L below its unit diagonal
  std::vector<double> value_;
  std::vector<double> inverse_diagonal_;
};

}  // namespace cutis
