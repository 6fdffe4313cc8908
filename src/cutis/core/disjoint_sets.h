#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace cutis {

/// Things that belong together: numbers 0 .. n - 1, joined two at a time. The root of a set is its smallest
/// number, so the outcome does not depend on the order of joining.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a);
    b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }
  /// Numbers the sets from 0 by their smallest members, writes each thing's number and returns how many sets
  /// there are.
  int numbered(std::vector<int>& number) {
    number.assign(parent_.size(), -1);
    int count = 0;
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      const std::size_t r = root(i);
      number[i] = r == i ? count++ : number[r];
    }
    return count;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace cutis
