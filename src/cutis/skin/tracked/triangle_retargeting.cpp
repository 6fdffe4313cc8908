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
    const double narrow = std::clamp(least, kFlattestTriangle, 1.0);
    shapes_[i].share = narrow * narrow;
    if (!kept[i]) shapes_[i].goal = U;
  });
  kept_ = static_cast<std::size_t>(std::ranges::count(kept, 1));
}

void TriangleRetargeting::start(const Points& target) {
  if (!moves()) return;
  set_goals(target);
  for (Shape& shape : shapes_) shape.stretch = {shape.goal, Mat2::Zero()};
}

void TriangleRetargeting::advance(const Points& target, double dt) {
  if (!moves()) return;
  set_goals(target);
  for (Shape& shape : shapes_) shape.stretch.advance(shape.goal, rate_, dt);
}

std::vector<double> TriangleRetargeting::save() const {
  std::vector<double> out;
  out.reserve(13 * shapes_.size());
  for (const Shape& shape : shapes_) {
    for (const Mat2* m : {&shape.stretch.value, &shape.stretch.slope, &shape.goal})
      out.insert(out.end(), m->data(), m->data() + 4);
    out.push_back(shape.share);
  }
  return out;
}

void TriangleRetargeting::restore(const std::vector<double>& saved) {
  const double* from = saved.data();
  for (Shape& shape : shapes_) {
    for (Mat2* m : {&shape.stretch.value, &shape.stretch.slope, &shape.goal}) {
      *m = Eigen::Map<const Mat2>(from);
      from += 4;
    }
    shape.share = *from++;
  }
}

}  // namespace cutis
