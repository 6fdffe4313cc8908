#pragma once

#include <vector>

#include "cutis/core/types.h"

namespace cutis {

/// The cubic spline through values in space: twice continuously differentiable, straight at the ends of an
/// open one, without a seam when it is closed.
class CubicSpline {
 public:
  struct Jet {
    Vec3 value = Vec3::Zero(), first = Vec3::Zero(), second = Vec3::Zero();
  };

  CubicSpline() = default;
  /// Knots rise; as many values, two at least. A closed one has three intervals at least and its last value
  /// is its first.
  CubicSpline(std::vector<double> knots, std::vector<Vec3> values, bool closed);

  /// Value and derivatives by u, from the first knot to the last.
  Jet operator()(double u) const;

 private:
  std::vector<double> knots_;
  std::vector<Vec3> values_, bends_;  ///< bends: second derivatives at the knots
};

}  // namespace cutis
