#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cutis/core/parallel.h"
#include "cutis/core/types.h"

namespace cutis {

/// A box with sides along the axes; empty until it is extended [m].
struct ContactBox {
  Eigen::Array3d low = Eigen::Array3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Array3d high = -low;

  void extend(const Vec3& p) {
    low = low.min(p.array());
    high = high.max(p.array());
  }
  void extend(const ContactBox& other) {
    low = low.min(other.low);
    high = high.max(other.high);
  }
  bool meets(const ContactBox& other) const { return (low <= other.high).all() && (other.low <= high).all(); }
  ContactBox grown(double by) const {
    ContactBox out = *this;
    out.low -= by;
    out.high += by;
    return out;
  }
};

/// Boxes that move, in a balanced tree over the order of their first places along a Morton curve. The tree
/// stays as it is while boxes change: answers stay exact, searches slow down the further the boxes go from
/// where they were. Visits run in the order of the tree, the same at any number of threads.
class BoxTree {
 public:
  BoxTree() = default;
  /// `centres`: where each box is at first, by its number.
  explicit BoxTree(std::span<const Vec3> centres);

  /// box_of(number) gives each box, from several threads at once.
  template <class BoxOf>
  void refit(const BoxOf& box_of) {
    parallel_for(leaf_count_, [&](std::size_t leaf) {
      ContactBox& all = nodes_[leaf_count_ + leaf];
      all = {};
      for (std::size_t i = kLeafSize * leaf; i < leaf_end(leaf); ++i) {
        boxes_[i] = box_of(static_cast<std::size_t>(numbers_[i]));
        all.extend(boxes_[i]);
      }
    });
    join_nodes();
  }

  std::size_t size() const { return numbers_.size(); }
  /// Of the box at a place in the order of the tree.
  std::size_t number(std::size_t place) const { return static_cast<std::size_t>(numbers_[place]); }

  /// Calls f(number) for each box that meets this one, of those from a place in the order of the tree on.
  template <class F>
  void visit(const ContactBox& box, std::size_t from, const F& f) const {
    if (leaf_count_ == 0) return;
    std::array<std::size_t, kDeepest> open;
    std::size_t count = 0;
    open[count++] = 1;
    while (count > 0) {
      const std::size_t node = open[--count];
      if (node_end(node) <= from || !nodes_[node].meets(box)) continue;
      if (node < leaf_count_) {
        open[count++] = 2 * node + 1;
        open[count++] = 2 * node;
        continue;
      }
      const std::size_t leaf = node - leaf_count_;
      for (std::size_t i = std::max(from, kLeafSize * leaf); i < leaf_end(leaf); ++i)
        if (boxes_[i].meets(box)) f(number(i));
    }
  }
  /// Of all boxes.
  template <class F>
  void visit(const ContactBox& box, const F& f) const {
    visit(box, 0, f);
  }

 private:
  static constexpr std::size_t kLeafSize = 4;
  /// One node waits at each level of a tree over 2^32 boxes.
  static constexpr std::size_t kDeepest = 40;

  std::vector<std::int32_t> numbers_;  ///< of the boxes, in the order of the tree
  std::vector<ContactBox> boxes_;      ///< in the same order
  std::vector<ContactBox> nodes_;      ///< children of node i: 2 i and 2 i + 1; leaves come last
  std::size_t leaf_count_ = 0;         ///< a power of two

  std::size_t leaf_end(std::size_t leaf) const { return std::min(kLeafSize * (leaf + 1), boxes_.size()); }
  /// The place behind the last of the places below a node.
  std::size_t node_end(std::size_t node) const {
    const int below = std::bit_width(leaf_count_) - std::bit_width(node);  // levels of the tree
    return kLeafSize * (((node + 1) << below) - leaf_count_);
  }
  void join_nodes();
};

}  // namespace cutis
