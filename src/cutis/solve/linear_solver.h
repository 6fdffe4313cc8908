#pragma once

#include <Eigen/SparseCore>

namespace cutis {

/// Solves A x = b for sparse symmetric positive definite matrices of one pattern, given by their lower
/// triangle: compressed, nothing above the diagonal.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Prepares for all matrices of this pattern.
  virtual void analyze(const Eigen::SparseMatrix<double>& lower) = 0;
  virtual bool analyzed() const = 0;
  /// Takes the values of a matrix of the analysed pattern. False when it is not positive definite or not
  /// finite; then nothing can be solved until the next factorize().
  [[nodiscard]] virtual bool factorize(const Eigen::SparseMatrix<double>& lower) = 0;
  /// Whether the last factorize() returned true.
  virtual bool factorized() const = 0;
  /// One column or several. Only where factorized().
  virtual Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) const = 0;
};

}  // namespace cutis
