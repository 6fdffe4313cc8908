#pragma once

#include <span>
#include <vector>

#include <Eigen/SparseCore>

namespace cutis {

/// A symmetric sparse matrix of N x N blocks whose pattern is fixed: which unknowns (blocks of N numbers)
/// meet in an element is known once, values are written in place for ever after. Only the lower triangle is
/// kept.
template <int N>
class BlockMatrix {
 public:
  /// `elements`: for each, the blocks that meet in it, -1 for a corner that is not unknown. Lists may differ
  /// in length.
  BlockMatrix(int blocks, const std::vector<std::vector<int>>& elements);

  void set_zero();
  /// Adds the (len * N)² matrix of element `e`, corner by corner, to the sum; rows and columns of corners
  /// that are not unknown are left out. Not thread-safe: call in the order of the elements for the same bits.
  void add(std::size_t e, const Eigen::Ref<const Eigen::MatrixXd>& local);
  /// Adds to the diagonal block of one unknown.
  void add_diagonal(int block, const Eigen::Matrix<double, N, N>& local);

  const Eigen::SparseMatrix<double>& lower() const { return lower_; }
  int blocks() const { return blocks_; }

 private:
  int blocks_ = 0;
  Eigen::SparseMatrix<double> lower_;
};

}  // namespace cutis
