#include "cutis/skin/tracked/triangle_retargeting.h"

#include <algorithm>

#include "cutis/core/parallel.h"
#include "cutis/skin/tracked/right_stretch.h"

namespace cutis {
namespace {

/// A triangle that is pressed below this share of its length has no shape to be without stress in.
constexpr double kFlattestTriangle = 0.1;

}  // namespace

TriangleRetargeting::TriangleRetargeting(const Mesh& triangles, const std::vector<RestTriangle>& rest,
                                         double rate)
    : mesh_(triangles), rest_(rest), rate_(rate), shapes_(rest.size()) {}

void TriangleRetargeting::set_goals(const Points& target) {
  std::vector<char> kept(shapes_.size(), 0);
  parallel_for(shapes_.size(), [&](std::size_t i) {
    if (rest_[i].degenerate()) return;
    const auto c = mesh_.face(FaceId(i));
    const Mat2 U = right_stretch(deformation_gradient(rest_[i], target[c[0]], target[c[1]], target[c[2]]));
    const double least = least_eigenvalue(U);
    kept[i] = !(least >= kFlattestTriangle);
    shapes_[i].share = std::clamp(least, kFlattestTriangle, 1.0);
    if (!kept[i]) shapes_[i].goal = U;
  });
  kept_ = static_cast<std::size_t>(std::ranges::count(kept, 1));
}

void TriangleRetargeting::start(const Points& target) {
  if (!moves()) return;
  set_goals(target);
  shapes_.start();
}

void TriangleRetargeting::advance(const Points& target, double dt) {
  if (!moves()) return;
  set_goals(target);
  shapes_.advance(rate_, dt);
}

}  // namespace cutis
