#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// The part of a tetrahedron where a linear function is negative.
struct NegativePart {
  double share = 0;                      ///< of the tetrahedron's volume
  Vec4 centroid = Vec4::Constant(0.25);  ///< barycentric coordinates; of the whole where there is none
  /// Mean of λ λᵀ over the part, λ the barycentric coordinates of its points.
  Mat4 second_moment = (Mat4::Ones() + Mat4::Identity()) / 20;
};

/// Of a function that is given at the corners.
NegativePart negative_part(const Vec4& values);

}  // namespace cutis
