#include "cutis/solve/growing_cholesky.h"

namespace cutis {

bool GrowingCholesky::factorize(const Eigen::SparseMatrix<double>& lower) {
  is_grown_ = !usual_.has_pattern_of(lower);
  if (!is_grown_) return usual_.factorize(lower);
  if (!grown_.has_pattern_of(lower)) grown_.analyze(lower);
  return grown_.factorize(lower);
}

}  // namespace cutis
