#pragma once

#include "cutis/solve/sparse_cholesky.h"

namespace cutis {

/// Cholesky factors of matrices that mostly have one pattern, the one that is analysed, and for a while a
/// larger one, as when things touch: that is analysed by the way. What it finds depends on the matrix alone,
/// not on the ones before it.
class GrowingCholesky final : public LinearSolver {
 public:
  explicit GrowingCholesky(Ordering ordering) : usual_(ordering), grown_(Ordering::Fast) {}

  void analyze(const Eigen::SparseMatrix<double>& lower) override { usual_.analyze(lower); }
  bool analyzed() const override { return usual_.analyzed(); }
  [[nodiscard]] bool factorize(const Eigen::SparseMatrix<double>& lower) override;
  bool factorized() const override { return latest().factorized(); }
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) const override {
    return latest().solve(right_side);
  }

 private:
  SparseCholesky usual_, grown_;
  bool is_grown_ = false;  ///< the latest matrix

  const SparseCholesky& latest() const { return is_grown_ ? grown_ : usual_; }
};

}  // namespace cutis
