#pragma once

#include "cutis/solve/sparse_cholesky.h"

namespace cutis {

/// What SparseCholesky asks of a backend.
struct SparseCholesky::State {
  virtual ~State() = default;
  virtual void analyze(const Eigen::SparseMatrix<double>& lower) = 0;
  virtual bool factorize(const Eigen::SparseMatrix<double>& lower) = 0;
  virtual Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) = 0;
};

#if CUTIS_HAS_CHOLMOD
/// Supernodal.
std::unique_ptr<SparseCholesky::State> make_cholmod(Ordering ordering);
std::string cholmod_version_text();
#endif

}  // namespace cutis
