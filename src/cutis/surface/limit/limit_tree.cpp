#include "cutis/surface/limit/limit_tree.h"

#include "cutis/core/types.h"

namespace cutis {

class LimitTree::Builder {
 public:
  Builder(LimitTree& tree, int face, const std::function<Leaf(int, double, double)>& patch_at)
      : tree_(tree), face_(face), patch_at_(patch_at) {}

  /// A square or triangle from its origin along its two sides.
  struct Part {
    Vec2 origin, u, v;
    double size;
    Vec2 centre(bool triangle) const { return origin + (u + v) / (triangle ? 3 : 2); }
  };

  int operator()(const Part& part) {
    const Vec2 inside = part.centre(tree_.triangles_);
    const Leaf leaf = patch_at_(face_, inside.x(), inside.y());
    if (leaf.patch == kNoPatch) return kNoPatch;
    if (leaf.size >= part.size) {
      tree_.order_.push_back(leaf.patch);
      return static_cast<int>(tree_.order_.size()) - 1;
    }
    const std::size_t node = tree_.nodes_.size();
    tree_.nodes_.emplace_back();
    const auto parts = quarters(part);
    for (std::size_t k = 0; k < 4; ++k) {
      const int child = (*this)(parts[k]);
      tree_.nodes_[node][k] = child;
    }
    return ~static_cast<int>(node);
  }

 private:
  LimitTree& tree_;
  int face_;
  const std::function<Leaf(int, double, double)>& patch_at_;

  std::array<Part, 4> quarters(const Part& p) const {
    const Vec2 u = p.u / 2, v = p.v / 2;
    const double size = p.size / 2;
    const Vec2 across = p.origin + u + v;
    return {Part{p.origin, u, v, size}, Part{p.origin + u, u, v, size}, Part{p.origin + v, u, v, size},
            tree_.triangles_ ? Part{across, -u, -v, size} : Part{across, u, v, size}};
  }
};

LimitTree::LimitTree(int faces, bool triangles,
                     const std::function<Leaf(int face, double u, double v)>& patch_at)
    : triangles_(triangles) {
  for (int face = 0; face < faces; ++face)
    roots_.push_back(Builder(*this, face, patch_at)({Vec2::Zero(), Vec2::UnitX(), Vec2::UnitY(), 1}));
}

}  // namespace cutis
