#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/solve/linear_solver.h"

namespace cutis {

enum class Ordering {
  Best,  ///< METIS for large patterns, where there is one: costs more than a factorisation, for those that
         ///< stay
  Fast   ///< AMD: for patterns that change often
};

enum class CholeskyBackend {
  Best,         ///< CHOLMOD for large matrices, where this build has it
  Multifrontal  ///< our own: takes no turns
};

/// A = L Lᵀ of a sparse symmetric positive definite matrix, given by its lower triangle. The pattern is
/// analysed once; factorize() renews the values. The same bits at any number of threads of the program. One
/// call at a time on one object; calls on several objects are safe, and those of CHOLMOD take turns.
class SparseCholesky final : public LinearSolver {
 public:
  explicit SparseCholesky(Ordering ordering = Ordering::Best,
                          CholeskyBackend backend = CholeskyBackend::Best);
  ~SparseCholesky() override;
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  void analyze(const Eigen::SparseMatrix<double>& lower) override;
  [[nodiscard]] bool factorize(const Eigen::SparseMatrix<double>& lower) override;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) const override;

  bool analyzed() const override { return !pattern_.empty(); }
  /// Whether the matrix has the pattern that was analysed.
  bool has_pattern_of(const Eigen::SparseMatrix<double>& lower) const;
  bool factorized() const override { return factorized_; }

  /// "CHOLMOD 3.0.14" or "multifrontal": what CholeskyBackend::Best is for large matrices.
  static std::string backend();

  struct State;  ///< what a backend does; its own business

 private:
  std::unique_ptr<State> state_;
  std::vector<int> pattern_;  ///< starts of the columns, then rows; empty: not analysed
  Eigen::Index size_ = 0;
  bool factorized_ = false;
};

}  // namespace cutis
