#include "cutis/solve/sparse_cholesky.h"

#include <cassert>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include "cutis/solve/cholesky_backend.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct EigenState final : SparseCholesky::State {
  Eigen::SimplicialLLT<Sparse, Eigen::Lower> llt;

  void analyze(const Sparse& lower) override { llt.analyzePattern(lower); }
  bool factorize(const Sparse& lower) override {
    llt.factorize(lower);
    return llt.info() == Eigen::Success;
  }
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) override { return llt.solve(right_side); }
};

std::unique_ptr<SparseCholesky::State> make_state([[maybe_unused]] Ordering ordering,
                                                  [[maybe_unused]] CholeskyBackend backend) {
#if CUTIS_HAS_CHOLMOD
  if (backend == CholeskyBackend::Best) return make_cholmod(ordering);
#endif
  return std::make_unique<EigenState>();
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
  state_->analyze(lower);
  size_ = lower.rows();
  entries_ = lower.nonZeros();
  analyzed_ = true;
}

bool SparseCholesky::factorize(const Sparse& lower) {
  assert(analyzed_ && lower.isCompressed() && lower.rows() == size_ && lower.nonZeros() == entries_);
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
  return fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
#endif
}

}  // namespace cutis
