#include "cutis/skin/force_density/plane_factor.h"

#include <array>

#include <Eigen/SparseCholesky>

namespace cutis {
namespace {

// Columns are taken together as long as this many entries of theirs, or this share of them, are zero.
constexpr int most_zeros = 12;
constexpr double most_zeros_share = 0.3;

}  // namespace

PlaneFactor::PlaneFactor(const Eigen::SparseMatrix<double>& lower) {
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> ldlt(lower);
  if (ldlt.info() != Eigen::Success || (ldlt.vectorD().array() <= 0).any()) return;
  const auto& order = ldlt.permutationP().indices();
  place_.assign(order.data(), order.data() + order.size());
  for (double d : ldlt.vectorD()) inverse_diagonal_.push_back(1 / d);
  // Rows of a column are sorted, strictly below the diagonal. A column whose first row is the next one has no
  // rows that the next has not.
  const Eigen::SparseMatrix<double>& L = ldlt.matrixL().nestedExpression();
  const int n = static_cast<int>(L.cols());
  const auto count = [&](int j) { return L.outerIndexPtr()[j + 1] - L.outerIndexPtr()[j]; };
  for (int begin = 0, end = 0; begin < n; begin = end) {
    int entries = count(begin);
    for (end = begin + 1; end < n; ++end) {
      if (count(end - 1) == 0 || L.innerIndexPtr()[L.outerIndexPtr()[end - 1]] != end) break;
      entries += count(end);
      const int width = end + 1 - begin;
      const int zeros = width * count(end) + width * (width - 1) / 2 - entries;
      if (zeros > most_zeros && zeros > most_zeros_share * entries) break;
    }
    add_node(L, begin, end);
  }
}

void PlaneFactor::add_node(const Eigen::SparseMatrix<double>& L, int begin, int end) {
  const int* first = L.outerIndexPtr();
  Supernode node{begin, end - begin, static_cast<int>(rows_.size()), first[end] - first[end - 1],
                 values_.size()};
  rows_.insert(rows_.end(), L.innerIndexPtr() + first[end - 1], L.innerIndexPtr() + first[end]);
  values_.resize(values_.size() + at(node.width) * at(node.width + node.rows), 0.0F);
  for (int k = 0; k < node.width; ++k) {
    int below = 0;
    for (int e = first[begin + k]; e < first[begin + k + 1]; ++e) {
      const int row = L.innerIndexPtr()[e];
      while (row >= end && rows_[at(node.first_row + below)] != row) ++below;
      const int line = row < end ? row - begin : node.width + below;
      values_[node.values + at(line) * at(node.width) + at(k)] = static_cast<float>(L.valuePtr()[e]);
    }
  }
  nodes_.push_back(node);
}

/// x[row] -= row of L times own columns, for the rows below a node.
void PlaneFactor::push_down(const Supernode& node, Vec2* x) const {
  const Vec2* own = x + node.begin;
  const float* value = values_.data() + node.values + at(node.width) * at(node.width);
  const int* row = rows_.data() + node.first_row;
  for (int i = 0; i < node.rows; ++i) {
    Vec2 even = Vec2::Zero(), odd = Vec2::Zero();
    int k = 0;
    for (; k + 1 < node.width; k += 2) {
      even += double(value[k]) * own[k];
      odd += double(value[k + 1]) * own[k + 1];
    }
    if (k < node.width) even += double(value[k]) * own[k];
    x[row[i]] -= even + odd;
    value += node.width;
  }
}

/// own -= rows below times x[row], N columns from `column` on: in registers, so that no sum waits for memory.
template <int N>
void PlaneFactor::pull_up(const Supernode& node, int column, Vec2* x) const {
  std::array<Vec2, N> sum;
  sum.fill(Vec2::Zero());
  const float* value = values_.data() + node.values + at(node.width) * at(node.width) + column;
  const int* row = rows_.data() + node.first_row;
  for (int i = 0; i < node.rows; ++i) {
    const Vec2 known = x[row[i]];
    for (int k = 0; k < N; ++k) sum[at(k)] += double(value[k]) * known;
    value += node.width;
  }
  for (int k = 0; k < N; ++k) x[node.begin + column + k] -= sum[at(k)];
}

void PlaneFactor::solve_in_place(std::vector<Vec2>& points) const {
  Vec2* x = points.data();
  for (const Supernode& node : nodes_) {
    Vec2* own = x + node.begin;
    const float* block = values_.data() + node.values;
    for (int i = 1; i < node.width; ++i)
      for (int k = 0; k < i; ++k) own[i] -= double(block[i * node.width + k]) * own[k];
    push_down(node, x);
  }
  for (std::size_t i = 0; i < size(); ++i) x[i] *= inverse_diagonal_[i];
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    int column = 0;
    for (; column + 4 <= node->width; column += 4) pull_up<4>(*node, column, x);
    for (; column + 2 <= node->width; column += 2) pull_up<2>(*node, column, x);
    if (column < node->width) pull_up<1>(*node, column, x);
    Vec2* own = x + node->begin;
    const float* block = values_.data() + node->values;
    for (int i = node->width - 1; i > 0; --i)
      for (int k = 0; k < i; ++k) own[k] -= double(block[i * node->width + k]) * own[i];
  }
}

}  // namespace cutis
