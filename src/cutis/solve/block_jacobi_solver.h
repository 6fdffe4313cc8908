#pragma once

#include <vector>

#include "cutis/core/types.h"
#include "cutis/solve/conjugate_gradient.h"
#include "cutis/solve/linear_solver.h"

namespace cutis {

/// A block that a symmetric matrix has at (row, column), and its transpose at (column, row), besides those of
/// its pattern.
struct BlockCoupling {
  int row = 0, column = 0;
  Mat3 value;
};

/// Conjugate gradients with the 3x3 blocks on the diagonal as preconditioner. Nothing is factorised: for
/// matrices near their diagonal, such as that of an implicit time step, it is much faster than a factor and
/// takes little memory; static problems want a factor. The same bits at any number of threads.
class BlockJacobiSolver final : public LinearSolver {
 public:
  explicit BlockJacobiSolver(const ConjugateGradientOptions& options) : options_(options) {}

  /// Such blocks of all matrices from now on, as they are when solve() is called; must outlive it. They are
  /// not in the preconditioner.
  void couple(const std::vector<BlockCoupling>& couplings) { couplings_ = &couplings; }

  /// The number of rows must be a multiple of 3.
  void analyze(const Eigen::SparseMatrix<double>& lower) override;
  bool analyzed() const override { return !starts_.empty(); }
  /// False when a diagonal block is not positive definite.
  [[nodiscard]] bool factorize(const Eigen::SparseMatrix<double>& lower) override;
  bool factorized() const override { return factorized_; }
  /// To the tolerance, or as far as the iterations go: from zero, every iterate lowers the quadratic.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) const override;

 private:
  /// A block of one row: where its column stands, and where its nine values are in a lower triangle.
  struct Block {
    int column = 0;
    int first = 0;       ///< entry of its first column
    int stride[2] = {};  ///< from there to those of the second and the third
    bool transposed = false;
  };
  ConjugateGradientOptions options_;
  std::vector<std::size_t> starts_;  ///< block rows + 1
  std::vector<Block> blocks_;        ///< row by row
  std::vector<Mat3> values_;
  std::vector<Mat3> inverse_diagonal_;
  const std::vector<BlockCoupling>* couplings_ = nullptr;
  bool factorized_ = false;

  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& out) const;
};

}  // namespace cutis
