#include "cutis/skin/force_density/net_matrix.h"

#include <algorithm>
#include <utility>

namespace cutis {
NetMatrix::NetMatrix(std::vector<int> unknown) : unknown_(std::move(unknown)) {
  for (int i : unknown_) size_ = std::max(size_, i + 1);
  to_pinned_.resize(at(size_));
  load_.resize(at(size_), Vec2::Zero());
}

void NetMatrix::update(const std::vector<NetBranch>& branches, const IdVector<VertexId, Vec2>& places) {
  branches_.clear();
  std::fill(to_pinned_.begin(), to_pinned_.end(), 0.0);
  std::fill(load_.begin(), load_.end(), Vec2::Zero());
  const auto pull = [&](int free, VertexId pinned, double q) {
    to_pinned_[at(free)] += q;
    load_[at(free)] += q * places[pinned];
  };
  for (const NetBranch& branch : branches) {
    const int i = unknown_[at(branch.a)], j = unknown_[at(branch.b)];
    if (i >= 0 && j >= 0) {
      if (i != j) branches_.push_back({i, j, branch.q, branch.q_back});
    } else if (i >= 0) {
      pull(i, VertexId(branch.b), branch.q);
    } else if (j >= 0) {
      pull(j, VertexId(branch.a), branch.q_back);
    }
  }
}

void NetMatrix::apply(const std::vector<Vec2>& x, std::vector<Vec2>& y) const {
  for (std::size_t i = 0; i < at(size_); ++i) y[i] = to_pinned_[i] * x[i];
  for (const FreeBranch& branch : branches_) {
    const Vec2 force = branch.q * (x[at(branch.i)] - x[at(branch.j)]);
    y[at(branch.i)] += force;
    y[at(branch.j)] -= force;
  }
}

bool NetMatrix::same_pattern() const {
  return std::equal(branches_.begin(), branches_.end(), pattern_.begin(), pattern_.end(),
                    [](const FreeBranch& branch, const std::pair<int, int>& ends) {
                      return branch.i == ends.first && branch.j == ends.second;
                    });
}

void NetMatrix::lay_out(bool symmetric) {
  pattern_.clear();
  std::vector<Eigen::Triplet<double>> entries;
  for (const FreeBranch& branch : branches_) {
    pattern_.emplace_back(branch.i, branch.j);
    if (symmetric) {
      entries.emplace_back(std::max(branch.i, branch.j), std::min(branch.i, branch.j), 0.0);
    } else {
      entries.emplace_back(branch.i, branch.j, 0.0);
      entries.emplace_back(branch.j, branch.i, 0.0);
    }
  }
  for (int i = 0; i < size_; ++i) entries.emplace_back(i, i, 0.0);
  matrix_.resize(size_, size_);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  matrix_.makeCompressed();
  slots_.clear();
  for (const auto& entry : entries) {
    const int* begin = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col()];
    const int* end = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col() + 1];
    slots_.push_back(static_cast<int>(std::lower_bound(begin, end, entry.row()) - matrix_.innerIndexPtr()));
  }
}

const Eigen::SparseMatrix<double>& NetMatrix::sparse(bool symmetric) {
  pattern_changed_ = matrix_.rows() != size_ || !same_pattern();
  if (pattern_changed_) lay_out(symmetric);
  double* values = matrix_.valuePtr();
  std::fill(values, values + matrix_.nonZeros(), 0.0);
  const auto diagonal = [&](int i) -> double& {
    return values[slots_[(symmetric ? 1 : 2) * branches_.size() + at(i)]];
  };
  std::size_t slot = 0;
  for (const FreeBranch& branch : branches_) {
    values[slots_[slot++]] -= branch.q;
    if (!symmetric) values[slots_[slot++]] -= branch.q_back;
    diagonal(branch.i) += branch.q;
    diagonal(branch.j) += branch.q_back;
  }
  for (int i = 0; i < size_; ++i) diagonal(i) += to_pinned_[at(i)];
  return matrix_;
}

}  // namespace cutis
