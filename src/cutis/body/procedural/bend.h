#pragma once

#include <cmath>

#include "cutis/core/types.h"

namespace cutis {

/// Bends space about the z axis so that the x axis becomes an arc of this curvature [1/m], which rises to +y
/// on both sides of the origin. The plane y = 0 keeps all its lengths; y must stay below 1 / curvature.
inline Vec3 bend(const Vec3& p, double curvature) {
  const double angle = curvature * p.x(), half = angle / 2;
  // sin(a) / k and (1 - cos(a)) / k, written so that nothing is lost as k goes to zero.
  const double sinc = half == 0 ? 1 : std::sin(half) / half;
  const double along = p.x() * sinc * std::cos(half), up = p.x() * sinc * std::sin(half);
  return {along - p.y() * std::sin(angle), up + p.y() * std::cos(angle), p.z()};
}

}  // namespace cutis
