#include "cutis/surface/limit/limit_stencils.h"

#include <algorithm>

#include "cutis/core/parallel.h"

namespace cutis {

void LimitStencils::add_row(const Row& row) {
  for (const auto& [index, weight] : row) {
    indices_.push_back(index);
    weights_.push_back(weight);
  }
  offsets_.push_back(indices_.size());
}

void LimitStencils::end_level() { level_ends_.push_back(offsets_.size() - 1); }

void LimitStencils::sort_by_use(std::vector<int>& list) {
  std::vector<std::vector<std::size_t>> rows(level_ends_.size());  // of each level, in the new order
  std::vector<char> seen(offsets_.size() - 1, 0);
  const auto see = [&](const auto& self, int point) -> void {
    if (static_cast<std::size_t>(point) < control_count_) return;
    const std::size_t row = static_cast<std::size_t>(point) - control_count_;
    if (seen[row]) return;
    seen[row] = 1;
    for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k) self(self, indices_[k]);
    const auto level = std::ranges::upper_bound(level_ends_, row) - level_ends_.begin();
    rows[static_cast<std::size_t>(level)].push_back(row);
  };
  for (int point : list) see(see, point);

  std::vector<int> moved(point_count(), -1);
  for (std::size_t i = 0; i < control_count_; ++i) moved[i] = static_cast<int>(i);
  LimitStencils sorted(control_count_);
  for (const auto& level : rows) {
    for (std::size_t row : level) {
      moved[control_count_ + row] = static_cast<int>(sorted.point_count());
      Row entries;
      for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k)
        entries.emplace_back(moved[static_cast<std::size_t>(indices_[k])], weights_[k]);
      sorted.add_row(entries);
    }
    sorted.end_level();
  }
  for (int& point : list) point = moved[static_cast<std::size_t>(point)];
  sorted.offsets_.shrink_to_fit();
  sorted.indices_.shrink_to_fit();
  sorted.weights_.shrink_to_fit();
  *this = std::move(sorted);
}

void LimitStencils::apply(std::vector<Vec3>& points) const {
  std::size_t begin = 0;
  for (std::size_t end : level_ends_) {
    parallel_for(end - begin, [&](std::size_t n) {
      const std::size_t row = begin + n;
      Vec3 sum = Vec3::Zero();
      for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k)
        sum += weights_[k] * points[static_cast<std::size_t>(indices_[k])];
      points[control_count_ + row] = sum;
    });
    begin = end;
  }
}

}  // namespace cutis
