#pragma once

#include "cutis/surface/field/line_field.h"

namespace cutis {

/// A line field at any point: linear in double angles between the vertices, where it is the mean of the
/// triangles around. Safe to ask from many threads.
class SmoothLines {
 public:
  SmoothLines(const Surface& surface, const LineDirections& directions);
  /// Unit, in the plane of p.face; of the two signs, the one that goes with `along`.
  Vec3 operator()(const SurfacePoint& p, const Vec3& along) const;

 private:
  IdVector<FaceId, Vec3> x_, y_;           ///< axes of each face
  IdVector<CornerId, Vec2> double_angle_;  ///< at each corner, in the axes of its face
};

}  // namespace cutis
