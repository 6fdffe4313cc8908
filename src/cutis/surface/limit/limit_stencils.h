#pragma once

#include <utility>
#include <vector>

#include "cutis/core/types.h"

namespace cutis {

/// Points made from others by fixed weights, level by level: first the control points, which are given, then
/// those that a row of weights makes of points before its level. A level runs in parallel.
class LimitStencils {
 public:
  using Row = std::vector<std::pair<int, double>>;  ///< (point, weight)

  explicit LimitStencils(std::size_t control_count) : control_count_(control_count) {}

  void add_row(const Row& row);
  /// Rows from here on read only points up to here.
  void end_level();
  /// Counts the points within each level anew, in the order in which the list uses them, so that neighbours
  /// in the list are neighbours in memory; drops those that nothing needs. The list follows.
  void sort_by_use(std::vector<int>& list);

  std::size_t control_count() const { return control_count_; }
  std::size_t point_count() const { return control_count_ + offsets_.size() - 1; }
  /// Fills in all points after the control points.
  void apply(std::vector<Vec3>& points) const;

 private:
  std::size_t control_count_;
  std::vector<std::size_t> offsets_{0};  ///< rows + 1
  std::vector<int> indices_;
  std::vector<double> weights_;
  std::vector<std::size_t> level_ends_;  ///< in rows
};

}  // namespace cutis
