#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// A rotation that turns with two vectors: their Gram-Schmidt frame, the normal last. Where they are no
/// plane, one of the frames that contain the first.
inline Mat3 turning_frame(const Vec3& first, const Vec3& second) {
  Mat3 frame;
  frame.col(0) = first.norm() > 0 ? Vec3(first.stableNormalized()) : Vec3(Vec3::UnitX());
  const Vec3 normal = frame.col(0).cross(second);
  const bool flat = !(normal.norm() > 1e-12 * second.norm());
  frame.col(2) = flat ? frame.col(0).unitOrthogonal() : Vec3(normal.stableNormalized());
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

}  // namespace cutis
