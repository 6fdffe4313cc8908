#pragma once

#include <memory>
#include <string>

#include <Eigen/SparseCore>

namespace cutis {

enum class Ordering {
  Best,  ///< METIS where there is one: costs more than a factorisation, for patterns that stay
  Fast   ///< AMD: for patterns that change often
};

/// A = L Lᵀ of a sparse symmetric positive definite matrix, given by its lower triangle. The pattern is
/// analysed once; factorize() renews the values. CHOLMOD where this build has it, Eigen otherwise. The same
/// bits at any number of threads of the program.
class SparseCholesky {
 public:
  explicit SparseCholesky(Ordering ordering = Ordering::Best);
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  void analyze(const Eigen::SparseMatrix<double>& lower);
  /// The pattern must be the analysed one. False when the matrix is not positive definite; then nothing can
  /// be solved until the next factorize().
  [[nodiscard]] bool factorize(const Eigen::SparseMatrix<double>& lower);
  /// One column or several.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) const;

  /// "CHOLMOD 3.0.14" or "Eigen 3.4.0".
  static std::string backend();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cutis
