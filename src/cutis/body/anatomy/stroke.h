#pragma once

#include <string>
#include <vector>

#include "cutis/core/types.h"

namespace cutis {

/// A line drawn on a body: either through points in space, close to the skin at rest, or around a bone of a
/// human, so that it fits every human. One of the two has at least two points.
struct Stroke {
  std::vector<Vec3> points;  ///< [m]
  std::string bone;          ///< of human_bones(); empty for points in space
  std::vector<Vec2> around;  ///< along the bone (0 start, 1 end) and angle around it [rad]
  bool operator==(const Stroke&) const = default;
};

}  // namespace cutis
