#include "cutis/solve/multifrontal_cholesky.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/OrderingMethods>

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Supernode = MultifrontalCholesky::Supernode;

/// Dense kernels work on tiles of so many rows and columns, whose sums fit into the registers of any machine;
/// panels and update matrices are padded by zeros to whole tiles.
constexpr int kTile = 4;
constexpr int padded(int n) { return (n + kTile - 1) / kTile * kTile; }
/// From one column of a panel, or of an update matrix, to the next.
std::ptrdiff_t panel_stride(const Supernode& s) { return padded(s.width) + padded(s.below); }
std::ptrdiff_t update_stride(const Supernode& s) { return padded(s.below); }

/// Lists of numbers, one after the other.
struct Lists {
  std::vector<int> starts, items;
  int size() const { return static_cast<int>(starts.size()) - 1; }
  auto begin(int i) const { return items.begin() + starts[i]; }
  auto end(int i) const { return items.begin() + starts[i + 1]; }
};

/// For each row of the permuted matrix, its columns left of the diagonal.
Lists rows_of(const Sparse& lower, const std::vector<int>& position) {
  Lists out;
  out.starts.assign(position.size() + 1, 0);
  const auto for_each = [&](const auto& f) {
    for (int column = 0; column < lower.outerSize(); ++column)
      for (int k = lower.outerIndexPtr()[column]; k < lower.outerIndexPtr()[column + 1]; ++k) {
        const int a = position[lower.innerIndexPtr()[k]], b = position[column];
        if (a != b) f(std::max(a, b), std::min(a, b));
      }
  };
  for_each([&](int row, int) { ++out.starts[row + 1]; });
  std::partial_sum(out.starts.begin(), out.starts.end(), out.starts.begin());
  out.items.resize(out.starts.back());
  std::vector<int> next(out.starts.begin(), out.starts.end() - 1);
  for_each([&](int row, int column) { out.items[next[row]++] = column; });
  return out;
}

/// The parent of a column is the first row below the diagonal of the factor, or -1 (Liu 1986).
std::vector<int> elimination_tree(const Lists& rows) {
  std::vector<int> parent(rows.size(), -1), ancestor(rows.size(), -1);
  for (int row = 0; row < rows.size(); ++row)
    for (auto column = rows.begin(row); column != rows.end(row); ++column)
      for (int i = *column; i >= 0 && i != row;) {
        const int next = std::exchange(ancestor[i], row);
        if (next < 0) parent[i] = row;
        i = next;
      }
  return parent;
}

/// For each column its place in an order in which subtrees follow one another, with the largest child just
/// before its parent, since neighbours can be merged.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> size(n, 1), largest(n, -1), place(n), end(n);
  for (int i = 0; i < n; ++i) {
    const int p = parent[i];
    if (p < 0) continue;
    size[p] += size[i];
    if (largest[p] < 0 || size[i] >= size[largest[p]]) largest[p] = i;
  }
  int roots_end = n;
  for (int i = n - 1; i >= 0; --i) {
    const int p = parent[i];
    if (p >= 0 && largest[p] == i) {
      place[i] = place[p] - 1;
    } else {
      int& until = p < 0 ? roots_end : end[p];
      place[i] = until - 1;
      until -= size[i];
    }
    end[i] = place[i] - (largest[i] < 0 ? 0 : size[largest[i]]);
  }
  return place;
}

/// Entries of the columns of the factor below the diagonal: a row of the factor has those columns that lie on
/// paths in the tree from the matrix's own to the row.
std::vector<int> column_counts(const Lists& rows, const std::vector<int>& parent) {
  std::vector<int> counts(parent.size(), 0), seen(parent.size(), -1);
  for (int row = 0; row < rows.size(); ++row) {
    seen[row] = row;
    for (auto column = rows.begin(row); column != rows.end(row); ++column)
      for (int i = *column; seen[i] != row; i = parent[i]) {
        seen[i] = row;
        ++counts[i];
      }
  }
  return counts;
}

/// Estimate of the time that a supernode takes, in multiplications: its own columns and those of its update
/// matrix, the addition of that to the parent's, and what each supernode costs at least.
double cost(int width, int below) {
  constexpr double per_addition = 3, per_entry = 6, per_supernode = 300;
  const double w = padded(width), m = padded(below);
  return w * w * w / 6 + w * w * m / 2 + w * m * m / 2 + per_addition * m * m / 2 +
         per_entry * w * (w / 2 + m) + per_supernode;
}

/// Columns that have the same rows, and neighbours that take no longer together than apart.
std::vector<Supernode> find_supernodes(const std::vector<int>& parent, const std::vector<int>& counts) {
  std::vector<Supernode> out;
  for (int column = 0; column < static_cast<int>(parent.size()); ++column) {
    const int below = counts[column];
    Supernode next{column, 1, below};
    if (!out.empty() && parent[column - 1] == column && out.back().below == below + 1) {
      next.first = out.back().first;
      next.width += out.back().width;
      out.pop_back();
    }
    out.push_back(next);
  }
  std::vector<Supernode> merged;
  for (Supernode next : out) {
    const int last = next.first + next.width - 1;
    while (!merged.empty()) {
      const Supernode& before = merged.back();
      const int p = parent[next.first - 1];
      if (p < 0 || p > last ||
          cost(before.width + next.width, next.below) >
              cost(before.width, before.below) + cost(next.width, next.below))
        break;
      next.first = before.first;
      next.width += before.width;
      merged.pop_back();
    }
    merged.push_back(next);
  }
  return merged;
}

/// A Bᵀ for a tile; both have `depth` columns.
template <int Columns>
Eigen::Matrix<double, kTile, Columns> product(const double* A, const double* B, std::ptrdiff_t stride,
                                              int depth) {
  Eigen::Matrix<double, kTile, Columns> sum = Eigen::Matrix<double, kTile, Columns>::Zero();
  for (int k = 0; k < depth; ++k, A += stride, B += stride)
    sum.noalias() += Eigen::Map<const Eigen::Matrix<double, kTile, 1>>(A) *
                     Eigen::Map<const Eigen::Matrix<double, 1, Columns>>(B);
  return sum;
}

/// The tile of a matrix that begins at an entry.
template <int Columns>
auto tile(double* entry, std::ptrdiff_t stride) {
  return Eigen::Map<Eigen::Matrix<double, kTile, Columns>, 0, Eigen::OuterStride<>>(
      entry, Eigen::OuterStride<>(stride));
}

/// Some columns of a panel: what those before them subtract, then their own factor. False where there is
/// none.
template <int Columns>
bool factorize_columns(double* panel, std::ptrdiff_t stride, int first) {
  double* const own = panel + first * stride;
  for (std::ptrdiff_t row = first; row < stride; row += kTile)
    tile<Columns>(own + row, stride) -= product<Columns>(panel + row, panel + first, stride, first);
  for (int j = 0; j < Columns; ++j) {
    double* const column = own + j * stride;
    const std::ptrdiff_t diagonal = first + j;
    for (int k = 0; k < j; ++k) {
      const double* const before = own + k * stride;
      const double factor = before[diagonal];
      for (std::ptrdiff_t row = diagonal; row < stride; ++row) column[row] -= factor * before[row];
    }
    if (!(column[diagonal] > 0)) return false;
    const double root = std::sqrt(column[diagonal]), inverse = 1 / root;
    column[diagonal] = root;
    for (std::ptrdiff_t row = diagonal + 1; row < stride; ++row) column[row] *= inverse;
  }
  return true;
}

bool factorize_panel(double* panel, const Supernode& s) {
  const std::ptrdiff_t stride = panel_stride(s);
  int column = 0;
  for (; column + kTile <= s.width; column += kTile)
    if (!factorize_columns<kTile>(panel, stride, column)) return false;
  switch (s.width - column) {
    case 1:
      return factorize_columns<1>(panel, stride, column);
    case 2:
      return factorize_columns<2>(panel, stride, column);
    case 3:
      return factorize_columns<3>(panel, stride, column);
    default:
      return true;
  }
}

/// The lower triangle of an update matrix, without those of the children.
void set_update(double* update, const double* panel, const Supernode& s) {
  const std::ptrdiff_t stride = panel_stride(s), size = update_stride(s);
  const double* const below = panel + s.width;
  for (std::ptrdiff_t column = 0; column < size; column += kTile)
    for (std::ptrdiff_t row = column; row < size; row += kTile)
      tile<kTile>(update + column * size + row, size) =
          -product<kTile>(below + row, below + column, stride, s.width);
}

}  // namespace

void MultifrontalCholesky::analyze(const Sparse& lower) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(lower.selfadjointView<Eigen::Lower>(), order);
  const int n = static_cast<int>(lower.rows());
  position_.resize(n);
  for (int i = 0; i < n; ++i) position_[order.indices()[i]] = i;
  const std::vector<int> tree = elimination_tree(rows_of(lower, position_)), place = postorder(tree);
  std::vector<int> parent(n);
  for (int i = 0; i < n; ++i) parent[place[i]] = tree[i] < 0 ? -1 : place[tree[i]];
  for (int& p : position_) p = place[p];
  const Lists rows = rows_of(lower, position_);
  supernodes_ = find_supernodes(parent, column_counts(rows, parent));
  supernode_of_.resize(n);
  for (std::size_t i = 0; i < supernodes_.size(); ++i)
    std::fill_n(supernode_of_.begin() + supernodes_[i].first, supernodes_[i].width, static_cast<int>(i));
  for (Supernode& s : supernodes_)
    if (const int p = parent[s.first + s.width - 1]; p >= 0) s.parent = supernode_of_[p];
  find_rows(rows.starts, rows.items);
  find_places();
  lay_out();
  find_targets(lower);
}

/// As column_counts() does, for supernodes.
void MultifrontalCholesky::find_rows(const std::vector<int>& starts, const std::vector<int>& columns) {
  std::size_t total = 0;
  std::vector<std::size_t> next;
  for (Supernode& s : supernodes_) {
    next.push_back(total);
    s.rows = std::exchange(total, total + s.below);
  }
  rows_.resize(total);
  std::vector<int> seen(supernodes_.size(), -1);
  for (int row = 0; row < static_cast<int>(supernode_of_.size()); ++row) {
    seen[supernode_of_[row]] = row;
    for (int k = starts[row]; k < starts[row + 1]; ++k)
      for (int s = supernode_of_[columns[k]]; seen[s] != row; s = supernodes_[s].parent) {
        seen[s] = row;
        rows_[next[s]++] = row;
      }
  }
}

void MultifrontalCholesky::find_places() {
  places_.resize(rows_.size());
  for (Supernode& s : supernodes_) {
    if (s.parent < 0) continue;
    const Supernode& p = supernodes_[s.parent];
    const int *const rows = rows_.data() + s.rows, *const parent_rows = rows_.data() + p.rows;
    int* const places = places_.data() + s.rows;
    int i = 0, k = 0;
    for (; i < s.below && rows[i] < p.first + p.width; ++i) places[i] = rows[i] - p.first;
    s.in_parent = i;
    for (; i < s.below; ++i) {
      while (parent_rows[k] != rows[i]) ++k;
      places[i] = p.width + k;
    }
  }
}

/// Panels one after the other; an update matrix where those of its stack end that are still needed.
void MultifrontalCholesky::lay_out() {
  std::size_t total = 0;
  for (Supernode& s : supernodes_) s.panel = std::exchange(total, total + panel_stride(s) * s.width);
  panels_.resize(total);
  std::vector<int> depth(supernodes_.size(), 0);
  for (std::size_t i = supernodes_.size(); i-- > 0;) {
    Supernode& s = supernodes_[i];
    if (s.parent < 0) continue;
    depth[i] = depth[s.parent] + 1;
    s.next_sibling = std::exchange(supernodes_[s.parent].first_child, static_cast<int>(i));
  }
  std::array<std::size_t, 2> top{}, highest{};
  for (std::size_t i = 0; i < supernodes_.size(); ++i) {
    Supernode& s = supernodes_[i];
    s.stack = depth[i] % 2;
    s.update = std::exchange(top[s.stack], top[s.stack] + update_stride(s) * update_stride(s));
    highest[s.stack] = std::max(highest[s.stack], top[s.stack]);
    if (s.first_child >= 0) top[1 - s.stack] = supernodes_[s.first_child].update;
  }
  for (int k = 0; k < 2; ++k) stacks_[k].resize(highest[k]);
  int longest = 0;
  for (const Supernode& s : supernodes_) longest = std::max(longest, s.below);
  work_.resize(longest);
}

void MultifrontalCholesky::find_targets(const Sparse& lower) {
  targets_.clear();
  targets_.reserve(lower.nonZeros());
  for (int c = 0; c < lower.outerSize(); ++c)
    for (int k = lower.outerIndexPtr()[c]; k < lower.outerIndexPtr()[c + 1]; ++k) {
      const auto [column, row] = std::minmax({position_[c], position_[lower.innerIndexPtr()[k]]});
      const Supernode& s = supernodes_[supernode_of_[column]];
      const int* const rows = rows_.data() + s.rows;
      const std::ptrdiff_t place = row < s.first + s.width
                                       ? row - s.first
                                       : s.width + (std::lower_bound(rows, rows + s.below, row) - rows);
      targets_.push_back(s.panel + (column - s.first) * panel_stride(s) + place);
    }
}

/// Adds columns of the update matrix of a child to the parent's panel, or to its update matrix, whose first
/// row and column are those of this place.
void MultifrontalCholesky::add_columns(const Supernode& child, int first, int last, double* to,
                                       std::ptrdiff_t stride, int place) const {
  const double* from = stacks_[child.stack].data() + child.update + first * update_stride(child);
  const int* const places = places_.data() + child.rows;
  for (int column = first; column < last; ++column, from += update_stride(child)) {
    double* const target = to + (places[column] - place) * stride;
    for (int row = column; row < child.below; ++row) target[places[row] - place] += from[row];
  }
}

bool MultifrontalCholesky::factorize(const Sparse& lower) {
  std::fill(panels_.begin(), panels_.end(), 0.0);
  for (std::size_t k = 0; k < targets_.size(); ++k) panels_[targets_[k]] = lower.valuePtr()[k];
  for (const Supernode& s : supernodes_) {
    double* const panel = panels_.data() + s.panel;
    double* const update = stacks_[s.stack].data() + s.update;
    for_each_child(s, [&](const Supernode& child) {
      add_columns(child, 0, child.in_parent, panel, panel_stride(s), 0);
    });
    if (!factorize_panel(panel, s)) return false;
    set_update(update, panel, s);
    for_each_child(s, [&](const Supernode& child) {
      add_columns(child, child.in_parent, child.below, update, update_stride(s), s.width);
    });
  }
  return true;
}

/// L y = x, in place.
void MultifrontalCholesky::solve_lower(double* x) {
  for (const Supernode& s : supernodes_) {
    const double* column = panels_.data() + s.panel;
    const int* const rows = rows_.data() + s.rows;
    double* const own = x + s.first;
    std::fill_n(work_.begin(), s.below, 0.0);
    for (int k = 0; k < s.width; ++k, column += panel_stride(s)) {
      own[k] /= column[k];
      for (int i = k + 1; i < s.width; ++i) own[i] -= own[k] * column[i];
      for (int i = 0; i < s.below; ++i) work_[i] += own[k] * column[s.width + i];
    }
    for (int i = 0; i < s.below; ++i) x[rows[i]] -= work_[i];
  }
}

/// Lᵀ y = x, in place.
void MultifrontalCholesky::solve_transposed(double* x) {
  using Column = Eigen::Map<const Eigen::VectorXd>;
  for (auto s = supernodes_.rbegin(); s != supernodes_.rend(); ++s) {
    const int* const rows = rows_.data() + s->rows;
    double* const own = x + s->first;
    for (int i = 0; i < s->below; ++i) work_[i] = x[rows[i]];
    for (int k = s->width - 1; k >= 0; --k) {
      const double* const column = panels_.data() + s->panel + k * panel_stride(*s);
      const int left = s->width - k - 1;
      const double sum = Column(column + k + 1, left).dot(Column(own + k + 1, left)) +
                         Column(column + s->width, s->below).dot(Column(work_.data(), s->below));
      own[k] = (own[k] - sum) / column[k];
    }
  }
}

Eigen::MatrixXd MultifrontalCholesky::solve(const Eigen::MatrixXd& right_side) {
  Eigen::MatrixXd out(right_side.rows(), right_side.cols());
  Eigen::VectorXd x(right_side.rows());
  for (Eigen::Index column = 0; column < right_side.cols(); ++column) {
    for (Eigen::Index i = 0; i < x.size(); ++i) x[position_[i]] = right_side(i, column);
    solve_lower(x.data());
    solve_transposed(x.data());
    for (Eigen::Index i = 0; i < x.size(); ++i) out(i, column) = x[position_[i]];
  }
  return out;
}

}  // namespace cutis
