#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// How a body goes on from frame to frame, to tell a leap from a fast motion.
struct Drift {
  Vec3 centre = Vec3::Zero();  ///< now [m]
  Vec3 way = Vec3::Zero();     ///< in the last frame [m]

  /// Whether a body of this size [m] has been put elsewhere: its path bends by more than that from one frame
  /// to the next.
  bool leaps_to(const Vec3& next, double size) const { return (next - centre - way).norm() > size; }
  void go_on_to(const Vec3& next) {
    way = next - centre;
    centre = next;
  }
};

}  // namespace cutis
