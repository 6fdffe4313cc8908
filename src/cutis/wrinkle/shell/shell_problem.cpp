#include "cutis/wrinkle/shell/shell_problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/material/projection.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

IdVector<VertexId, int> number_free(std::size_t vertices, const IdVector<VertexId, char>& held) {
  IdVector<VertexId, int> unknown(vertices, -1);
  int next = 0;
  for (VertexId v : ids<VertexId>(vertices))
    if (held.empty() || !held[v]) unknown[v] = next++;
  return unknown;
}

std::vector<VertexId> free_vertices(const IdVector<VertexId, int>& unknown) {
  std::vector<VertexId> out;
  for (VertexId v : ids<VertexId>(unknown.size()))
    if (unknown[v] >= 0) out.push_back(v);
  return out;
}

ElementBlocks face_blocks(const Shell& shell, const IdVector<VertexId, int>& unknown) {
  ElementBlocks blocks(shell.face_count());
  for (std::size_t f = 0; f < blocks.size(); ++f)
    for (VertexId v : shell.bending(f).vertices) blocks[f].push_back(v.valid() ? unknown[v] : -1);
  return blocks;
}

ElementBlocks constraint_blocks(const std::vector<ConstraintRow>& constraints,
                                const IdVector<VertexId, int>& unknown) {
  ElementBlocks blocks;
  for (const ConstraintRow& c : constraints) {
    std::vector<int>& list = blocks.emplace_back();
    for (const VertexBlock& w : c) list.push_back(unknown[w.vertex]);
  }
  return blocks;
}

/// Whether a block of the lower triangle is in the pattern.
bool in_pattern(const Sparse& lower, int row, int column) {
  const auto* inner = lower.innerIndexPtr();
  const auto* outer = lower.outerIndexPtr() + 3 * column;
  return std::binary_search(inner + outer[0], inner + outer[1], 3 * row);
}

/// Adds a block of the lower triangle, which must be in the pattern, to the values of its entries.
void add_block(const Sparse& lower, int row, int column, const Mat3& block, double* values) {
  const auto* outer = lower.outerIndexPtr();
  const auto* inner = lower.innerIndexPtr();
  for (int k = 0; k < 3; ++k) {
    const int first = row == column ? k : 0;
    const auto* begin = inner + outer[3 * column + k];
    const auto place = std::lower_bound(begin, inner + outer[3 * column + k + 1], 3 * row + first) - inner;
    for (int i = first; i < 3; ++i) values[place + i - first] += block(i, k);
  }
}

}  // namespace

ShellProblem::ShellProblem(const Shell& shell, std::vector<ConstraintRow> constraints,
                           const IdVector<VertexId, char>& held)
    : shell_(&shell),
      constraints_(std::move(constraints)),
      unknown_(number_free(shell.vertex_count(), held)),
      vertices_(free_vertices(unknown_)),
      shares_(vertices_.size()),
      matrix_(static_cast<int>(vertices_.size()), face_blocks(shell, unknown_),
              constraint_blocks(constraints_, unknown_)),
      forces_(static_cast<int>(vertices_.size()), face_blocks(shell, unknown_)),
      targets_(constraints_.size(), Vec3::Zero()),
      multipliers_(constraints_.size(), Vec3::Zero()),
      contacts_(vertices_.size()),
      trial_(shell.rest().positions) {
  set_pattern();
  set_shares();
  set_penalties(std::vector<Mat3>(constraints_.size(), Mat3::Zero()));
}

void ShellProblem::set_constraints(std::vector<ConstraintRow> constraints) {
  constraints_ = std::move(constraints);
  set_shares();
}

void ShellProblem::set_shares() {
  shares_.assign(vertices_.size(), {});
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    for (const VertexBlock& w : constraints_[c])
      if (const int block = unknown_[w.vertex]; block >= 0) shares_[at(block)].push_back({c, w.weight});
}

/// The pattern of the shell and its constraints with that of the contacts.
void ShellProblem::set_pattern() {
  const Sparse& base = matrix_.lower();
  std::vector<Eigen::Triplet<double>> none;
  for (std::size_t b = 0; b < contacts_.size(); ++b)
    for (const int row : contacts_[b])
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) none.emplace_back(3 * row + i, static_cast<int>(3 * b) + k, 0.0);
  Sparse extra(base.rows(), base.cols());
  extra.setFromTriplets(none.begin(), none.end());
  hessian_ = base + extra;
  slots_.resize(static_cast<std::size_t>(base.nonZeros()));
  for (int column = 0; column < base.cols(); ++column) {
    int slot = hessian_.outerIndexPtr()[column];
    for (int i = base.outerIndexPtr()[column]; i < base.outerIndexPtr()[column + 1]; ++i) {
      while (hessian_.innerIndexPtr()[slot] < base.innerIndexPtr()[i]) ++slot;
      slots_[at(i)] = at(slot);
    }
  }
}

/// Takes into the pattern what is in contact now.
void ShellProblem::include(const std::vector<VertexPairBlock>& contacts) {
  bool grown = false;
  for (const VertexPairBlock& block : contacts) {
    const int row = unknown_[block.row], column = unknown_[block.column];
    if (row < 0 || column < 0 || in_pattern(hessian_, row, column)) continue;
    std::vector<int>& rows = contacts_[at(column)];
    if (const auto place = std::lower_bound(rows.begin(), rows.end(), row);
        place == rows.end() || *place != row)
      rows.insert(place, row);
    grown = true;
  }
  if (grown) set_pattern();
}

void ShellProblem::set_penalties(const std::vector<Mat3>& penalties) {
  penalties_ = penalties;
  penalty_values_.assign(static_cast<std::size_t>(matrix_.lower().nonZeros()), 0);
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    for (const VertexBlock& j : constraints_[c]) {
      const Mat3 pulled = penalties_[c] * j.weight;
      for (const VertexBlock& i : constraints_[c])
        if (const int a = unknown_[j.vertex], b = unknown_[i.vertex]; a >= 0 && b >= a)
          add_block(matrix_.lower(), b, a, i.weight.transpose() * pulled, penalty_values_.data());
    }
}

void ShellProblem::start(Points positions) {
  trial_ = std::move(positions);
  if (!contact_) return;
  contact_->begin(trial_);
  if (hessian_.nonZeros() == matrix_.lower().nonZeros()) return;
  contacts_.assign(vertices_.size(), {});
  set_pattern();
}

Vec3 ShellProblem::gap(std::size_t constraint, const Points& positions) const {
  Vec3 mean = Vec3::Zero();
  for (const VertexBlock& w : constraints_[constraint]) mean += w.weight * positions[w.vertex];
  return mean - targets_[constraint];
}

void ShellProblem::update_multipliers() {
  for (std::size_t c = 0; c < constraints_.size(); ++c) multipliers_[c] += penalties_[c] * gap(c, trial_);
}

double ShellProblem::residual() const {
  double farthest = 0;
  for (std::size_t c = 0; c < constraints_.size(); ++c) farthest = std::max(farthest, gap(c, trial_).norm());
  return farthest;
}

double ShellProblem::energy_at(const Points& positions) const {
  std::vector<double> parts(shell_->face_count());
  parallel_for(parts.size(), [&](std::size_t f) { parts[f] = shell_->energy(f, positions); });
  double sum = 0;
  for (const double part : parts) sum += part;
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    const Vec3 g = gap(c, positions);
    sum += multipliers_[c].dot(g) + g.dot(penalties_[c] * g) / 2;
  }
  for (const VertexSpring& spring : springs_) {
    const Vec3 d = positions[spring.vertex] - spring.place;
    sum += d.dot(spring.stiffness * d) / 2;
  }
  return contact_ ? sum + contact_->energy(positions) : sum;
}

const Eigen::VectorXd& ShellProblem::gradient() {
  start_ = trial_;
  parallel_for(shell_->face_count(), [&](std::size_t f) { forces_.local(f) = shell_->gradient(f, trial_); });
  forces_.sum();
  gradient_ = forces_.values();
  std::vector<Vec3> loads(constraints_.size());
  parallel_for(loads.size(),
               [&](std::size_t c) { loads[c] = multipliers_[c] + penalties_[c] * gap(c, trial_); });
  parallel_for(vertices_.size(), [&](std::size_t b) {
    for (const Share& share : shares_[b])
      gradient_.segment<3>(static_cast<Eigen::Index>(3 * b)) +=
          share.weight.transpose() * loads[share.constraint];
  });
  for (const VertexSpring& spring : springs_)
    if (const int block = unknown_[spring.vertex]; block >= 0)
      gradient_.segment<3>(3 * block) += spring.stiffness * (trial_[spring.vertex] - spring.place);
  if (!contact_) return gradient_;
  const Points contact = contact_->gradient(trial_);
  for (std::size_t b = 0; b < vertices_.size(); ++b)
    gradient_.segment<3>(static_cast<Eigen::Index>(3 * b)) += contact[vertices_[b]];
  return gradient_;
}

/// A shell that is about to buckle has negative curvature nearly everywhere, of which little is too much:
/// taking out all of it makes buckling creep.
const Eigen::SparseMatrix<double>* ShellProblem::modified_hessian(int level) {
  constexpr std::array<double, 4> kShares{0.05, 0.2, 0.5, 1};
  return at(level) < kShares.size() ? &assemble(kShares[at(level)]) : nullptr;
}

const Eigen::SparseMatrix<double>& ShellProblem::assemble(double projected_share) {
  parallel_for(shell_->face_count(),
               [&](std::size_t f) { matrix_.local(f) = shell_->hessian(f, trial_, projected_share); });
  matrix_.sum();
  std::vector<VertexPairBlock> contacts;
  if (contact_) contacts = contact_->hessian(trial_, projected_share > 0 ? kProjected : kExact);
  include(contacts);
  const double* shell = matrix_.lower().valuePtr();
  double* values = hessian_.valuePtr();
  if (hessian_.nonZeros() > matrix_.lower().nonZeros()) hessian_.coeffs().setZero();
  parallel_for(
      penalty_values_.size(), [&](std::size_t i) { values[slots_[i]] = shell[i] + penalty_values_[i]; },
      4096);
  const auto add = [&](VertexId row, VertexId column, const Mat3& block) {
    if (unknown_[row] >= 0 && unknown_[column] >= 0)
      add_block(hessian_, unknown_[row], unknown_[column], block, values);
  };
  for (const VertexSpring& spring : springs_) add(spring.vertex, spring.vertex, spring.stiffness);
  for (const VertexPairBlock& block : contacts) add(block.row, block.column, block.value);
  return hessian_;
}

double ShellProblem::max_step_size(const Eigen::VectorXd& step) {
  double farthest = 0;
  for (Eigen::Index b = 0; b < step.size() / 3; ++b)
    farthest = std::max(farthest, step.segment<3>(3 * b).norm());
  const double largest = farthest > max_move_ ? max_move_ / farthest : 1;
  return contact_ ? largest * contact_->max_step_size(start_, in_space(largest * step)) : largest;
}

Points ShellProblem::in_space(const Eigen::VectorXd& step) const {
  Points moves(trial_.size(), Vec3::Zero());
  for (std::size_t b = 0; b < vertices_.size(); ++b)
    moves[vertices_[b]] = step.segment<3>(static_cast<Eigen::Index>(3 * b));
  return moves;
}

double ShellProblem::trial(const Eigen::VectorXd& step, double factor) {
  for (std::size_t b = 0; b < vertices_.size(); ++b)
    trial_[vertices_[b]] = start_[vertices_[b]] + factor * step.segment<3>(static_cast<Eigen::Index>(3 * b));
  return energy_at(trial_);
}

}  // namespace cutis
