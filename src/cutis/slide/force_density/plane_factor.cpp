#include "cutis/slide/force_density/plane_factor.h"

#include <Eigen/SparseCholesky>

namespace cutis {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

PlaneFactor::PlaneFactor(const Eigen::SparseMatrix<double>& lower) {
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> ldlt(lower);
  if (ldlt.info() != Eigen::Success || (ldlt.vectorD().array() <= 0).any()) return;
  const auto& order = ldlt.permutationP().indices();
  place_.assign(order.data(), order.data() + order.size());
  for (double d : ldlt.vectorD()) inverse_diagonal_.push_back(1 / d);
  // Rows of a column are sorted, strictly below the diagonal.
  const Eigen::SparseMatrix<double>& L = ldlt.matrixL().nestedExpression();
  const int n = static_cast<int>(L.cols());
  const auto first = [&](int j) { return L.outerIndexPtr()[j]; };
  const auto joins = [&](int j) {  // column j has the rows of column j + 1, and j + 1 itself
    const int count = first(j + 1) - first(j);
    return count > 0 && L.innerIndexPtr()[first(j)] == j + 1 && first(j + 2) - first(j + 1) == count - 1;
  };
  for (int begin = 0, end = 0; begin < n; begin = end) {
    end = begin + 1;
    while (end < n && joins(end - 1)) ++end;
    add_node(L, begin, end);
  }
}

void PlaneFactor::add_node(const Eigen::SparseMatrix<double>& L, int begin, int end) {
  const int* first = L.outerIndexPtr();
  Supernode node{begin, end - begin, static_cast<int>(rows_.size()), first[end] - first[end - 1],
                 values_.size()};
  rows_.insert(rows_.end(), L.innerIndexPtr() + first[end - 1], L.innerIndexPtr() + first[end]);
  values_.resize(values_.size() + at(node.width) * at(node.width + node.rows), 0.0F);
  for (int k = 0; k < node.width; ++k)
    for (int i = 0; i < node.width + node.rows - k - 1; ++i)
      values_[node.values + at(k + 1 + i) * at(node.width) + at(k)] =
          static_cast<float>(L.valuePtr()[first[begin + k] + i]);
  nodes_.push_back(node);
}

void PlaneFactor::solve_in_place(std::vector<Vec2>& x) const {
  for (const Supernode& node : nodes_) {
    Vec2* own = x.data() + node.begin;
    const float* row = values_.data() + node.values;
    const auto product = [&](int width) {
      Vec2 even = Vec2::Zero(), odd = Vec2::Zero();
      int k = 0;
      for (; k + 1 < width; k += 2) {
        even += double(row[k]) * own[k];
        odd += double(row[k + 1]) * own[k + 1];
      }
      if (k < width) even += double(row[k]) * own[k];
      return Vec2(even + odd);
    };
    for (int i = 0; i < node.width; ++i, row += node.width) own[i] -= product(i);
    for (int i = 0; i < node.rows; ++i, row += node.width)
      x[at(rows_[at(node.first_row + i)])] -= product(node.width);
  }
  for (std::size_t i = 0; i < size(); ++i) x[i] *= inverse_diagonal_[i];
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    Vec2* own = x.data() + node->begin;
    const float* below = values_.data() + node->values + at(node->width) * at(node->width);
    const float* row = below;
    for (int i = 0; i < node->rows; ++i, row += node->width) {
      const Vec2 known = x[at(rows_[at(node->first_row + i)])];
      for (int k = 0; k < node->width; ++k) own[k] -= double(row[k]) * known;
    }
    row = below - node->width;
    for (int i = node->width - 1; i > 0; --i, row -= node->width)
      for (int k = 0; k < i; ++k) own[k] -= double(row[k]) * own[i];
  }
}

}  // namespace cutis
