#pragma once

#include <span>
#include <vector>

#include "cutis/body/rig/skeleton.h"

namespace cutis {

/// A skeleton as one tree of bones with their lengths, without what moves no skin at its ends (end markers,
/// IK targets). Joints without a common root are joined by the shortest bones between them; a skeleton
/// without a tree of its own begins in its middle.
class SkeletonTree {
 public:
  /// `moved` is how much skin each joint moves; empty where it is not known.
  SkeletonTree(const std::vector<SkeletonJoint>& joints, std::span<const double> moved);

  const std::vector<int>& order() const { return order_; }  ///< parents first; nothing for an empty tree
  int parent(int j) const { return parent_[j]; }            ///< -1 for the root
  const std::vector<int>& children(int j) const { return children_[j]; }
  const Vec3& position(int j) const { return joints_[j].position; }
  int depth(int j) const;

  double bone(int j) const;  ///< to the parent [m]
  /// Along the bones down to the furthest end [m].
  double reach(int j) const { return reach_[j]; }
  /// From the parent of j to the furthest end below j [m].
  double length(int j) const { return bone(j) + reach_[j]; }
  /// j and the joints below it, on the way to the furthest end.
  std::vector<int> chain(int j) const;
  /// From one joint to another, both included.
  std::vector<int> path(int from, int to) const;
  bool is_below(int j, int ancestor) const;  ///< or is it
  /// How many chains of bones like the fingers of a hand begin at this joint: of two joints or more, and of
  /// similar length.
  int branches(int j) const;

 private:
  const std::vector<SkeletonJoint>& joints_;
  std::vector<int> parent_, order_;
  std::vector<std::vector<int>> children_;
  std::vector<double> reach_;

  void grow(const std::vector<std::vector<int>>& neighbours, int root);
  void drop_unmoved(std::span<const double> moved);
  void measure();
};

}  // namespace cutis
