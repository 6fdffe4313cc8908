#pragma once

#include <vector>

#include "cutis/solve/retargeted_shapes.h"
#include "cutis/surface/mesh/deformation.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Rest-state retargeting of skin (US 9,251,618): the shapes that triangles have without stress move
/// gradually to those that they have in the target, so that skin comes to rest where its target is and what
/// it was doing goes on. A shape is the right stretch of the target against the body at rest: how the target
/// is turned does not matter. It follows as EasedFollower does.
class TriangleRetargeting {
 public:
  /// `rate` [1/s] is that of EasedFollower; 0 keeps the shapes at rest. The mesh must outlive it.
  TriangleRetargeting(const Mesh& triangles, const std::vector<RestTriangle>& rest, double rate);

  /// Takes over the shapes of a target at once.
  void start(const Points& target);
  /// Follows a target for a step of `dt` [s] at whose end it is there.
  void advance(const Points& target, double dt);

  /// Right stretch, in the axes of the triangle at rest, of its shape without stress.
  const Mat2& stretch(std::size_t triangle) const { return shapes_[triangle].stretch.value; }
  /// Share of its width at rest that the target leaves a triangle, at most 1.
  double width(std::size_t triangle) const { return shapes_[triangle].share; }
  bool moves() const { return rate_ > 0; }
  /// Triangles of the last target that had hardly any area: their shapes go on to the last good one.
  std::size_t kept() const { return kept_; }

  std::vector<double> save() const { return shapes_.save(); }
  void restore(const std::vector<double>& saved) { shapes_.restore(saved); }

 private:
  const Mesh& mesh_;
  const std::vector<RestTriangle>& rest_;
  double rate_;
  RetargetedShapes<2> shapes_;
  std::size_t kept_ = 0;

  void set_goals(const Points& target);
};

}  // namespace cutis
