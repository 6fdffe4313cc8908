#pragma once

#include <array>
#include <functional>
#include <limits>
#include <vector>

namespace cutis {

/// Which patch covers a place of a parameter face: unit squares, or triangles (0,0), (1,0), (0,1), cut into
/// four again and again where patches are smaller. A face's part of the tree, and the patches that it names,
/// lie side by side in memory: evaluation is mostly waiting for it.
class LimitTree {
 public:
  struct Leaf {
    int patch;
    double size;  ///< of the patch, 1 for a whole face
  };
  /// In place of a patch, at a face that has none.
  static constexpr int kNoPatch = std::numeric_limits<int>::max();
  /// `patch_at` names the patch at a place that is inside of it.
  LimitTree(int faces, bool triangles, const std::function<Leaf(int face, double u, double v)>& patch_at);

  /// Patches in the order of the tree, as `patch_at` named them. The tree counts them by their place here.
  const std::vector<int>& order() const { return order_; }

  int find(int face, double u, double v) const {
    int next = roots_[static_cast<std::size_t>(face)];
    if (next >= 0) return next;
    double half = 0.5;
    bool turned = false;
    do {
      const int quarter = triangles_ ? triangle_quarter(half, u, v, turned) : square_quarter(half, u, v);
      next = nodes_[static_cast<std::size_t>(~next)][static_cast<std::size_t>(quarter)];
      half *= 0.5;
    } while (next < 0);
    return next;
  }

 private:
  using Node = std::array<int, 4>;  ///< a patch, or ~ another node
  bool triangles_;
  std::vector<int> roots_;
  std::vector<Node> nodes_;
  std::vector<int> order_;

  class Builder;
  static int square_quarter(double half, double& u, double& v);
  static int triangle_quarter(double half, double& u, double& v, bool& turned);
};

/// The quarter of a square that holds (u, v), which become those from its corner.
inline int LimitTree::square_quarter(double half, double& u, double& v) {
  const bool right = u >= half, upper = v >= half;
  if (right) u -= half;
  if (upper) v -= half;
  return 2 * upper + right;
}

/// The same for a triangle: its three corners, then the middle, which is turned by half.
inline int LimitTree::triangle_quarter(double half, double& u, double& v, bool& turned) {
  if (!turned) {
    if (u >= half) return u -= half, 1;
    if (v >= half) return v -= half, 2;
    turned = u + v >= half;
    return turned ? 3 : 0;
  }
  if (u < half) return v -= half, 1;
  if (v < half) return u -= half, 2;
  u -= half;
  v -= half;
  turned = u + v >= half;
  return turned ? 0 : 3;
}

}  // namespace cutis
