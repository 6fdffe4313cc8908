#include "cutis/solve/block_matrix.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

void check(int blocks, const ElementBlocks& elements) {
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const int block : elements[e])
      if (block < -1 || block >= blocks)
        throw std::out_of_range(fmt::format("element {} names block {} of {}", e, block, blocks));
}

/// Where the dense matrix of each element begins when they lie one after the other.
std::vector<std::size_t> local_starts(int n, const ElementBlocks& elements) {
  std::vector<std::size_t> starts;
  std::size_t total = 0;
  for (const auto& corners : elements) {
    const std::size_t size = corners.size() * static_cast<std::size_t>(n);
    starts.push_back(total);
    total += size * size;
  }
  return starts;
}

/// Every diagonal block is in the pattern.
template <class Addend>
std::vector<Addend> diagonal_addends(int blocks) {
  std::vector<Addend> addends;
  for (int block = 0; block < blocks; ++block) addends.push_back({block, block});
  return addends;
}

/// Those of a dense matrix, column by column and corner by corner, that begins at `start`.
template <int N, class Addend>
void add_element(const std::vector<int>& corners, std::size_t start, std::vector<Addend>& addends) {
  const std::size_t size = corners.size() * N;
  for (std::size_t b = 0; b < corners.size(); ++b)
    for (std::size_t a = 0; a < corners.size(); ++a)
      if (corners[b] >= 0 && corners[a] >= corners[b])
        addends.push_back(
            {corners[b], corners[a], start + N * (b * size + a), static_cast<std::ptrdiff_t>(size)});
}

template <int N>
std::vector<typename BlockPattern<N>::Addend> addends_of(int blocks, const ElementBlocks& elements,
                                                         const std::vector<std::size_t>& starts,
                                                         const ElementBlocks& couplings) {
  check(blocks, elements);
  check(blocks, couplings);
  auto addends = diagonal_addends<typename BlockPattern<N>::Addend>(blocks);
  for (std::size_t e = 0; e < elements.size(); ++e) add_element<N>(elements[e], starts[e], addends);
  for (const std::vector<int>& coupled : couplings)
    for (const int column : coupled)
      for (const int row : coupled)
        if (column >= 0 && row >= column) addends.push_back({column, row});
  return addends;
}

/// The place of a block in a rising list; -1 when it is not there.
int place_in(const std::vector<std::size_t>& list, int block) {
  if (block < 0) return -1;
  const auto at = std::ranges::lower_bound(list, static_cast<std::size_t>(block));
  return at != list.end() && *at == static_cast<std::size_t>(block) ? static_cast<int>(at - list.begin())
                                                                    : -1;
}

}  // namespace

template <int N>
BlockPattern<N>::BlockPattern(int blocks, std::vector<Addend> addends) : blocks_(blocks) {
  std::ranges::stable_sort(addends, {}, [](const Addend& a) { return std::pair(a.column, a.row); });
  std::vector<int> rows;  // of each block
  int column = -1;
  for (const Addend& p : addends) {
    const bool next_column = p.column != column;
    if (next_column) columns_.push_back(rows.size());
    if (next_column || p.row != rows.back()) {
      rows.push_back(p.row);
      source_starts_.push_back(sources_.size());
    }
    column = p.column;
    if (p.step != 0) sources_.push_back({p.start, p.step});
  }
  columns_.push_back(rows.size());
  source_starts_.push_back(sources_.size());
  set_pattern(rows);
}

template <int N>
void BlockPattern<N>::set_pattern(const std::vector<int>& rows) {
  const auto diagonals = static_cast<std::size_t>(blocks_);
  const std::size_t entries = rows.size() * N * N - diagonals * (N * (N - 1) / 2);
  if (entries > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::length_error("a sparse matrix has too many entries");
  lower_.resize(blocks_ * N, blocks_ * N);
  lower_.resizeNonZeros(static_cast<Eigen::Index>(entries));
  int slot = 0;
  for (int column = 0; column < blocks_; ++column)
    for (int k = 0; k < N; ++k) {
      lower_.outerIndexPtr()[column * N + k] = slot;
      for (std::size_t b = columns_[std::size_t(column)]; b < columns_[std::size_t(column) + 1]; ++b)
        for (int i = rows[b] == column ? k : 0; i < N; ++i) lower_.innerIndexPtr()[slot++] = rows[b] * N + i;
    }
  lower_.outerIndexPtr()[blocks_ * N] = slot;
  std::fill_n(lower_.valuePtr(), entries, 0.0);
}

template <int N>
void BlockPattern<N>::gather_column(std::size_t column, const double* locals) {
  double* values[N];
  for (int k = 0; k < N; ++k)
    values[k] = lower_.valuePtr() + lower_.outerIndexPtr()[static_cast<int>(column) * N + k];
  for (std::size_t b = columns_[column]; b < columns_[column + 1]; ++b) {
    double block[N][N] = {};  // by columns
    for (std::size_t s = source_starts_[b]; s < source_starts_[b + 1]; ++s)
      for (int k = 0; k < N; ++k) {
        const double* from = locals + sources_[s].start + k * sources_[s].step;
        for (int i = 0; i < N; ++i) block[k][i] += from[i];
      }
    const bool diagonal = b == columns_[column];
    for (int k = 0; k < N; ++k)
      for (int i = diagonal ? k : 0; i < N; ++i) *values[k]++ = block[k][i];
  }
}

template <int N>
void BlockPattern<N>::sum(const std::vector<double>& locals) {
  parallel_for(static_cast<std::size_t>(blocks_),
               [&](std::size_t column) { gather_column(column, locals.data()); });
}

template <int N>
BlockMatrix<N>::BlockMatrix(int blocks, const ElementBlocks& elements, const ElementBlocks& couplings)
    : starts_(local_starts(N, elements)),
      pattern_(blocks, addends_of<N>(blocks, elements, starts_, couplings)) {
  std::size_t total = 0;
  for (const auto& corners : elements) {
    const std::size_t size = corners.size() * N;
    sizes_.push_back(static_cast<Eigen::Index>(size));
    total += size * size;
  }
  locals_.assign(total, 0);
}

template <int N>
BlockPattern<N> BlockMatrix<N>::submatrix(const ElementBlocks& all, const std::vector<std::size_t>& blocks,
                                          const std::vector<std::size_t>& elements) const {
  const int count = static_cast<int>(blocks.size());
  auto addends = diagonal_addends<typename BlockPattern<N>::Addend>(count);
  std::vector<int> corners;
  for (const std::size_t e : elements) {
    corners.clear();
    for (const int block : all[e]) corners.push_back(place_in(blocks, block));
    add_element<N>(corners, starts_[e], addends);
  }
  return BlockPattern<N>(count, std::move(addends));
}

template <int N>
BlockVector<N>::BlockVector(int blocks, const ElementBlocks& elements)
    : values_(Eigen::VectorXd::Zero(blocks * N)) {
  check(blocks, elements);
  std::size_t total = 0;
  source_starts_.assign(static_cast<std::size_t>(blocks) + 1, 0);
  for (const auto& corners : elements) {
    starts_.push_back(total);
    sizes_.push_back(static_cast<Eigen::Index>(corners.size() * N));
    total += corners.size() * N;
    for (const int block : corners)
      if (block >= 0) ++source_starts_[static_cast<std::size_t>(block) + 1];
  }
  locals_.assign(total, 0);
  for (std::size_t b = 1; b < source_starts_.size(); ++b) source_starts_[b] += source_starts_[b - 1];
  sources_.resize(source_starts_.back());
  std::vector<std::size_t> next(source_starts_.begin(), source_starts_.end() - 1);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t a = 0; a < elements[e].size(); ++a)
      if (const int block = elements[e][a]; block >= 0)
        sources_[next[static_cast<std::size_t>(block)]++] = starts_[e] + a * N;
}

template <int N>
void BlockVector<N>::sum() {
  parallel_for(source_starts_.size() - 1, [this](std::size_t block) {
    Eigen::Matrix<double, N, 1> total = Eigen::Matrix<double, N, 1>::Zero();
    for (std::size_t s = source_starts_[block]; s < source_starts_[block + 1]; ++s)
      total += Eigen::Map<const Eigen::Matrix<double, N, 1>>(locals_.data() + sources_[s]);
    values_.segment<N>(static_cast<Eigen::Index>(block) * N) = total;
  });
}

template class BlockPattern<1>;
template class BlockPattern<2>;
template class BlockPattern<3>;
template class BlockMatrix<1>;
template class BlockMatrix<2>;
template class BlockMatrix<3>;
template class BlockVector<1>;
template class BlockVector<2>;
template class BlockVector<3>;

}  // namespace cutis
