#include "cutis/slide/force_density/plane_factor.h"

#include <Eigen/SparseCholesky>

namespace cutis {

PlaneFactor::PlaneFactor(const Eigen::SparseMatrix<double>& lower) {
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> ldlt(lower);
  if (ldlt.info() != Eigen::Success || (ldlt.vectorD().array() <= 0).any()) return;
  const auto& order = ldlt.permutationP().indices();
  place_.assign(order.data(), order.data() + order.size());
  const Eigen::SparseMatrix<double>& L = ldlt.matrixL().nestedExpression();
  first_.push_back(0);
  row_.reserve(static_cast<std::size_t>(L.nonZeros()));
  value_.reserve(static_cast<std::size_t>(L.nonZeros()));
  for (Eigen::Index column = 0; column < L.cols(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(L, column); entry; ++entry) {
      if (entry.row() <= column) continue;
      row_.push_back(static_cast<int>(entry.row()));
      value_.push_back(entry.value());
    }
    first_.push_back(static_cast<int>(row_.size()));
    inverse_diagonal_.push_back(1 / ldlt.vectorD()[column]);
  }
}

void PlaneFactor::solve_in_place(std::vector<Vec2>& x) const {
  const std::size_t n = size();
  for (std::size_t j = 0; j < n; ++j) {
    const Vec2 known = x[j];
    for (int e = first_[j]; e < first_[j + 1]; ++e)
      x[static_cast<std::size_t>(row_[static_cast<std::size_t>(e)])] -=
          value_[static_cast<std::size_t>(e)] * known;
  }
  for (std::size_t j = n; j-- > 0;) {
    Vec2 sum = inverse_diagonal_[j] * x[j];
    for (int e = first_[j]; e < first_[j + 1]; ++e)
      sum -= value_[static_cast<std::size_t>(e)] *
             x[static_cast<std::size_t>(row_[static_cast<std::size_t>(e)])];
    x[j] = sum;
  }
}

}  // namespace cutis
