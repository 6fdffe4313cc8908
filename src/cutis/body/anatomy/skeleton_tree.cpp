#include "cutis/body/anatomy/skeleton_tree.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace cutis {
namespace {

using Neighbours = std::vector<std::vector<int>>;

/// Joining roots compares all pairs of joints.
constexpr std::size_t kMostJoints = 2000;

/// Which joints hang together.
class Components {
 public:
  explicit Components(std::size_t n) : up_(n) { std::iota(up_.begin(), up_.end(), 0); }
  int top(int j) {
    while (up_[j] != j) j = up_[j] = up_[up_[j]];
    return j;
  }
  bool join(int a, int b) {
    a = top(a), b = top(b);
    up_[a] = b;
    return a != b;
  }

 private:
  std::vector<int> up_;
};

/// The bones that are there, and the shortest others that make them one tree (Kruskal).
Neighbours joined_bones(const std::vector<SkeletonJoint>& joints) {
  const int n = static_cast<int>(joints.size());
  Neighbours neighbours(joints.size());
  Components components(joints.size());
  const auto join = [&](int a, int b) {
    if (!components.join(a, b)) return;
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  for (int j = 0; j < n; ++j)
    if (joints[j].parent >= 0) join(joints[j].parent, j);
  std::vector<std::tuple<double, int, int>> gaps;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (components.top(a) != components.top(b))
        gaps.emplace_back((joints[a].position - joints[b].position).norm(), a, b);
  std::sort(gaps.begin(), gaps.end());
  for (const auto& [gap, a, b] : gaps) join(a, b);
  return neighbours;
}

/// The root above most joints; nothing (-1) where no root has half of them below it.
int main_root(const std::vector<SkeletonJoint>& joints) {
  std::vector<int> below(joints.size(), 0);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    int top = static_cast<int>(j);
    while (joints[top].parent >= 0) top = joints[top].parent;
    ++below[top];
  }
  const auto most = std::max_element(below.begin(), below.end());
  return 2 * static_cast<std::size_t>(*most) >= joints.size() ? static_cast<int>(most - below.begin()) : -1;
}

}  // namespace

SkeletonTree::SkeletonTree(const std::vector<SkeletonJoint>& joints, std::span<const double> moved)
    : joints_(joints), parent_(joints.size(), -1), children_(joints.size()), reach_(joints.size(), 0) {
  if (joints.empty() || joints.size() > kMostJoints) return;
  const Neighbours neighbours = joined_bones(joints);
  int root = main_root(joints);
  if (root < 0) {
    // The joint whose furthest end is nearest.
    double least = 0;
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
      grow(neighbours, j);
      if (root < 0 || reach_[j] < least) root = j, least = reach_[j];
    }
  }
  grow(neighbours, root);
  if (!moved.empty()) drop_unmoved(moved);
}

void SkeletonTree::grow(const Neighbours& neighbours, int root) {
  order_ = {root};
  parent_[root] = -1;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const int j = order_[i];
    children_[j].clear();
    for (int other : neighbours[j]) {
      if (other == parent_[j]) continue;
      parent_[other] = j;
      children_[j].push_back(other);
      order_.push_back(other);
    }
  }
  measure();
}

void SkeletonTree::drop_unmoved(std::span<const double> moved) {
  std::vector<double> below(moved.begin(), moved.end());
  for (std::size_t i = order_.size(); i-- > 1;) below[parent_[order_[i]]] += below[order_[i]];
  std::erase_if(order_, [&](int j) { return !(below[j] > 0); });
  for (auto& children : children_) std::erase_if(children, [&](int j) { return !(below[j] > 0); });
  measure();
}

void SkeletonTree::measure() {
  std::fill(reach_.begin(), reach_.end(), 0);
  for (std::size_t i = order_.size(); i-- > 1;) {
    const int j = order_[i];
    reach_[parent_[j]] = std::max(reach_[parent_[j]], length(j));
  }
}

double SkeletonTree::bone(int j) const {
  return parent_[j] < 0 ? 0 : (position(j) - position(parent_[j])).norm();
}

int SkeletonTree::depth(int j) const {
  int depth = 0;
  while ((j = parent_[j]) >= 0) ++depth;
  return depth;
}

std::vector<int> SkeletonTree::chain(int j) const {
  std::vector<int> chain{j};
  while (!children_[j].empty()) {
    j = *std::max_element(children_[j].begin(), children_[j].end(),
                          [&](int a, int b) { return length(a) < length(b); });
    chain.push_back(j);
  }
  return chain;
}

bool SkeletonTree::is_below(int j, int ancestor) const {
  while (j >= 0 && j != ancestor) j = parent_[j];
  return j == ancestor;
}

std::vector<int> SkeletonTree::path(int from, int to) const {
  std::vector<int> path;
  int top = from;
  for (; !is_below(to, top); top = parent_[top]) path.push_back(top);
  const auto middle = static_cast<std::ptrdiff_t>(path.size());
  for (; to != top; to = parent_[to]) path.insert(path.begin() + middle, to);
  path.insert(path.begin() + middle, top);
  return path;
}

int SkeletonTree::branches(int j) const {
  double most = 0;
  for (int child : children_[j]) most = std::max(most, reach_[child]);
  return static_cast<int>(std::count_if(children_[j].begin(), children_[j].end(), [&](int child) {
    return reach_[child] > 0 && reach_[child] > 0.3 * most;
  }));
}

}  // namespace cutis
