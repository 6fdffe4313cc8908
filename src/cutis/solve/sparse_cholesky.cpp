#include "cutis/solve/sparse_cholesky.h"

#include <algorithm>
#include <cassert>

#include "cutis/core/cancellation.h"
#include "cutis/solve/cholesky_backend.h"
#include "cutis/solve/multifrontal_cholesky.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

#if CUTIS_HAS_CHOLMOD
/// Below this, supernodes are so narrow that calls to BLAS cost more than they bring.
constexpr Eigen::Index kCholmodFrom = 5'000;

/// CHOLMOD's factor of large matrices, our own of small ones.
struct StateBySize final : SparseCholesky::State {
  explicit StateBySize(Ordering by) : ordering(by) {}
  Ordering ordering;
  std::unique_ptr<SparseCholesky::State> chosen;

  void analyze(const Sparse& lower) override {
    if (lower.rows() < kCholmodFrom)
      chosen = std::make_unique<MultifrontalCholesky>();
    else
      chosen = make_cholmod(ordering);
    chosen->analyze(lower);
  }
  bool factorize(const Sparse& lower) override { return chosen->factorize(lower); }
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) override { return chosen->solve(right_side); }
};
#endif

std::unique_ptr<SparseCholesky::State> make_state([[maybe_unused]] Ordering ordering,
                                                  [[maybe_unused]] CholeskyBackend backend) {
#if CUTIS_HAS_CHOLMOD
  if (backend == CholeskyBackend::Best) return std::make_unique<StateBySize>(ordering);
#endif
  return std::make_unique<MultifrontalCholesky>();
}

}  // namespace

SparseCholesky::SparseCholesky(Ordering ordering, CholeskyBackend backend)
    : state_(make_state(ordering, backend)) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::analyze(const Sparse& lower) {
  assert(lower.isCompressed() && lower.rows() == lower.cols());
  factorized_ = false;
  check_cancelled();
  state_->analyze(lower);
  size_ = lower.rows();
  pattern_.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + size_ + 1);
  pattern_.insert(pattern_.end(), lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
}

bool SparseCholesky::has_pattern_of(const Sparse& lower) const {
  const auto starts = static_cast<std::size_t>(size_ + 1),
             entries = static_cast<std::size_t>(lower.nonZeros());
  return lower.rows() == size_ && pattern_.size() == starts + entries &&
         std::equal(pattern_.begin(), pattern_.begin() + size_ + 1, lower.outerIndexPtr()) &&
         std::equal(pattern_.begin() + size_ + 1, pattern_.end(), lower.innerIndexPtr());
}

bool SparseCholesky::factorize(const Sparse& lower) {
  assert(lower.isCompressed() && has_pattern_of(lower));
  check_cancelled();
  // Not every BLAS notices a NaN on the diagonal.
  const bool finite = Eigen::Map<const Eigen::VectorXd>(lower.valuePtr(), lower.nonZeros()).allFinite();
  factorized_ = finite && state_->factorize(lower);
  return factorized_;
}

Eigen::MatrixXd SparseCholesky::solve(const Eigen::MatrixXd& right_side) const {
  assert(factorized_ && right_side.rows() == size_);
  return state_->solve(right_side);
}

std::string SparseCholesky::backend() {
#if CUTIS_HAS_CHOLMOD
  return "CHOLMOD " + cholmod_version_text();
#else
  return "multifrontal";
#endif
}

}  // namespace cutis
