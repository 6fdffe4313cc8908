#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "cutis/core/id.h"
#include "cutis/core/types.h"

namespace cutis {

/// L D Lᵀ of a symmetric positive definite matrix, kept to be applied often to points of the plane as a
/// preconditioner: both coordinates at once, in the factor's own order, with nothing allocated. L is held in
/// single precision (half the memory to run through), the same for both triangles, so that what is applied is
/// symmetric.
class PlaneFactor {
 public:
  /// `lower`: the lower triangle. Empty when the matrix is not positive definite.
  explicit PlaneFactor(const Eigen::SparseMatrix<double>& lower);

  std::size_t size() const { return inverse_diagonal_.size(); }
  /// Where row i of the matrix stands in the order of the factor.
  int place(int i) const { return place_[static_cast<std::size_t>(i)]; }
  /// x = A⁻¹ x up to single precision, in the order of the factor.
  void solve_in_place(std::vector<Vec2>& x) const;

 private:
  /// Columns with the same rows below them, or nearly: a dense block on the diagonal and dense rows below.
  struct Supernode {
    int begin = 0, width = 0;     ///< columns
    int first_row = 0, rows = 0;  ///< in rows_: those below
    std::size_t values = 0;       ///< in values_: width x width, then rows x width, row by row
  };
  std::vector<int> place_;
  std::vector<Supernode> nodes_;
  std::vector<int> rows_;
  std::vector<float> values_;
  std::vector<double> inverse_diagonal_;

  void add_node(const Eigen::SparseMatrix<double>& L, int begin, int end);
  void push_down(const Supernode& node, Vec2* x) const;
  template <int N>
  void pull_up(const Supernode& node, int column, Vec2* x) const;
};

}  // namespace cutis
