#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace cutis {

/// For each element (a triangle, a spring) the unknowns that meet in it, as blocks of N numbers; -1 for a
/// corner that is not unknown. Lists may differ in length; a block may occur twice in one.
using ElementBlocks = std::vector<std::vector<int>>;

/// Which entries of a symmetric sparse matrix of N x N blocks are sums of which entries of small matrices of
/// elements. Only the lower triangle is kept; every diagonal block is in the pattern. N is 1, 2 or 3.
template <int N>
class BlockPattern {
 public:
  /// A block of the lower triangle and an N x N block of a local matrix that is added to it.
  struct Addend {
    int column, row;
    std::size_t start = 0;  ///< among the local matrices
    std::ptrdiff_t step =
        0;  ///< from one of its columns to the next; 0: the block is there, but nothing is added
  };
  BlockPattern(int blocks, std::vector<Addend> addends);

  /// Makes lower() the sum of local matrices, in parallel and in the order of the addends: the same bits at
  /// any number of threads.
  void sum(const std::vector<double>& locals);
  /// The lower triangle, compressed, rows in order.
  const Eigen::SparseMatrix<double>& lower() const { return lower_; }
  int blocks() const { return blocks_; }

 private:
  struct Source {
    std::size_t start;
    std::ptrdiff_t step;
  };
  void set_pattern(const std::vector<int>& rows);
  void gather_column(std::size_t column, const double* locals);

  int blocks_ = 0;
  std::vector<std::size_t> columns_;        ///< block columns + 1: their first entry in source_starts_
  std::vector<std::size_t> source_starts_;  ///< blocks of the lower triangle + 1
  std::vector<Source> sources_;
  Eigen::SparseMatrix<double> lower_;
};

/// A symmetric sparse matrix of N x N blocks, the sum of small matrices of elements, with a pattern that is
/// fixed: which unknowns meet is known once, values are written in place for ever after. Each element writes
/// its own local matrix, in parallel if wanted; sum() then gathers every entry of the matrix from the
/// elements that touch it.
template <int N>
class BlockMatrix {
 public:
  /// Throws std::out_of_range for a block that is not below `blocks`. Every diagonal block is in the pattern,
  /// and so are those where blocks meet in one of the lists of `couplings`, which have no local matrix.
  BlockMatrix(int blocks, const ElementBlocks& elements, const ElementBlocks& couplings = {});

  /// Where element `e` writes its symmetric matrix, (len * N)², corner by corner. Rows and columns of corners
  /// that are not unknown are not read, nor is what lies above the diagonal where the corners rise. Zero at
  /// first; keeps its values until written again.
  Eigen::Map<Eigen::MatrixXd> local(std::size_t e) {
    return {locals_.data() + starts_[e], sizes_[e], sizes_[e]};
  }
  Eigen::Map<const Eigen::MatrixXd> local(std::size_t e) const {
    return {locals_.data() + starts_[e], sizes_[e], sizes_[e]};
  }
  /// Makes lower() the sum of all local matrices.
  void sum() { pattern_.sum(locals_); }

  /// The pattern of some of the blocks and some of the elements, both rising; `all` are the elements that
  /// this matrix was made from. What they have in other blocks is left out.
  BlockPattern<N> submatrix(const ElementBlocks& all, const std::vector<std::size_t>& blocks,
                            const std::vector<std::size_t>& elements) const;
  /// Makes a submatrix the sum of the present local matrices.
  void sum(BlockPattern<N>& submatrix) const { submatrix.sum(locals_); }

  /// The lower triangle, compressed, rows in order.
  const Eigen::SparseMatrix<double>& lower() const { return pattern_.lower(); }
  int blocks() const { return pattern_.blocks(); }

 private:
  std::vector<std::size_t> starts_;
  std::vector<Eigen::Index> sizes_;
  std::vector<double> locals_;
  BlockPattern<N> pattern_;
};

/// The gradient that goes with it: a sum of small vectors of elements, gathered in the same way.
template <int N>
class BlockVector {
 public:
  BlockVector(int blocks, const ElementBlocks& elements);

  /// Where element `e` writes its vector, len * N numbers.
  Eigen::Map<Eigen::VectorXd> local(std::size_t e) { return {locals_.data() + starts_[e], sizes_[e]}; }
  Eigen::Map<const Eigen::VectorXd> local(std::size_t e) const {
    return {locals_.data() + starts_[e], sizes_[e]};
  }
  void sum();
  const Eigen::VectorXd& values() const { return values_; }

 private:
  std::vector<double> locals_;
  std::vector<std::size_t> starts_;
  std::vector<Eigen::Index> sizes_;
  std::vector<std::size_t> source_starts_;  ///< blocks + 1
  std::vector<std::size_t> sources_;        ///< first of N numbers in locals_
  Eigen::VectorXd values_;
};

}  // namespace cutis
