#include "cutis/solve/block_jacobi_solver.h"

#include <atomic>
#include <cassert>

#include <Eigen/Cholesky>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

Eigen::Index row_of_block(std::size_t block) { return 3 * static_cast<Eigen::Index>(block); }

}  // namespace

/// Every block of the lower triangle is whole but those on the diagonal, whose upper entries are not there:
/// column j of a diagonal block begins at its row j.
void BlockJacobiSolver::analyze(const Eigen::SparseMatrix<double>& lower) {
  assert(lower.cols() % 3 == 0 && lower.isCompressed());
  const auto n = static_cast<std::size_t>(lower.cols() / 3);
  const int* outer = lower.outerIndexPtr();
  const int* inner = lower.innerIndexPtr();
  std::vector<std::vector<Block>> rows(n);
  for (std::size_t c = 0; c < n; ++c) {
    const int *begin = outer + 3 * c, first = begin[0];
    rows[c].push_back({static_cast<int>(c), first, {begin[1] - first - 1, begin[2] - first - 2}, false});
    for (int k = first + 3; k < begin[1]; k += 3) {
      const int row = inner[k] / 3;
      // The second column is short of one entry above, the third of two.
      const Block block{static_cast<int>(c), k, {begin[1] - first - 1, begin[2] - first - 2}, false};
      rows[static_cast<std::size_t>(row)].push_back(block);
      rows[c].push_back({row, block.first, {block.stride[0], block.stride[1]}, true});
    }
  }
  starts_ = {0};
  blocks_.clear();
  for (const std::vector<Block>& row : rows) {
    blocks_.insert(blocks_.end(), row.begin(), row.end());
    starts_.push_back(blocks_.size());
  }
  values_.resize(blocks_.size());
  inverse_diagonal_.resize(n);
}

bool BlockJacobiSolver::factorize(const Eigen::SparseMatrix<double>& lower) {
  const double* entries = lower.valuePtr();
  std::atomic<bool> definite = true;
  parallel_for(inverse_diagonal_.size(), [&](std::size_t row) {
    for (std::size_t b = starts_[row]; b < starts_[row + 1]; ++b) {
      const Block& block = blocks_[b];
      const bool diagonal = block.column == static_cast<int>(row);
      Mat3 value;
      for (int j = 0; j < 3; ++j) {
        const int column = block.first + (j == 0 ? 0 : block.stride[j - 1]);
        for (int i = diagonal ? j : 0; i < 3; ++i) value(i, j) = entries[column + i];
        if (diagonal)
          for (int i = 0; i < j; ++i) value(i, j) = value(j, i);
      }
      if (diagonal) {
        const Eigen::LLT<Mat3> factor(value);
        if (factor.info() != Eigen::Success || !value.allFinite()) definite = false;
        inverse_diagonal_[row] = factor.solve(Mat3::Identity());
      }
      if (block.transposed)
        values_[b] = value.transpose();
      else
        values_[b] = value;
    }
  });
  return factorized_ = definite;
}

void BlockJacobiSolver::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
  parallel_for(inverse_diagonal_.size(), [&](std::size_t row) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t b = starts_[row]; b < starts_[row + 1]; ++b)
      sum += values_[b] * x.segment<3>(3 * static_cast<Eigen::Index>(blocks_[b].column));
    out.segment<3>(row_of_block(row)) = sum;
  });
  if (!couplings_) return;
  for (const BlockCoupling& one : *couplings_) {
    const Eigen::Index row = 3 * one.row, column = 3 * one.column;
    out.segment<3>(row) += one.value * x.segment<3>(column);
    out.segment<3>(column) += one.value.transpose() * x.segment<3>(row);
  }
}

Eigen::MatrixXd BlockJacobiSolver::solve(const Eigen::MatrixXd& right_side) const {
  const Preconditioner precondition = [this](const Eigen::VectorXd& r) {
    Eigen::VectorXd z(r.size());
    parallel_for(inverse_diagonal_.size(), [&](std::size_t i) {
      z.segment<3>(row_of_block(i)) = inverse_diagonal_[i] * r.segment<3>(row_of_block(i));
    });
    return z;
  };
  const LinearMap A = [this](const Eigen::VectorXd& x, Eigen::VectorXd& out) { multiply(x, out); };
  Eigen::MatrixXd out(right_side.rows(), right_side.cols());
  for (Eigen::Index c = 0; c < out.cols(); ++c) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(out.rows());
    conjugate_gradient(A, right_side.col(c), precondition, x, options_);
    out.col(c) = x;
  }
  return out;
}

}  // namespace cutis
