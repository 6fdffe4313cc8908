#pragma once

#include <algorithm>

#include "cutis/body/time_derivative.h"
#include "cutis/core/types.h"

namespace cutis {

/// Where a body was in the last frame, to tell a leap from a fast motion.
struct Drift {
  Vec3 centre = Vec3::Zero();  ///< then [m]

  /// Whether a body of this size [m] has been put elsewhere during a frame at whose end its centre is at
  /// `next`: it has gone further than its size, and its own velocities at both ends do not explain that.
  /// `centre_at(time)` is the centre at any moment; it is asked only of a body that has gone so far.
  ///
  /// A velocity that rises or falls from u to v during dt takes a body by (u + v) dt / 2, give or take
  /// |v - u| dt / 2. A leap that is spread over a frame by a smooth curve through the frames' ends (a cache,
  /// Catmull and Rom) is half explained, hence half of the size.
  template <class CentreAt>
  bool leaps_to(const Vec3& next, const Interval& frame, double size, const CentreAt& centre_at) const {
    const Vec3 way = next - centre;
    if (!(way.norm() > size)) return false;
    // Seen from within, where a leap at the very beginning or end is no velocity.
    const double dt = frame.length(), inset = std::min(kLeapMargin, dt / 100);
    const Interval within{frame.begin + inset, frame.end - inset};
    const auto velocity = [&](double time) {
      Vec3 sum = Vec3::Zero();
      for (const auto& [moment, weight] : derivative_samples(within, time)) sum += weight * centre_at(moment);
      return sum;
    };
    const Vec3 before = velocity(within.begin), after = velocity(within.end);
    return (way - dt / 2 * (before + after)).norm() > size / 2 + dt / 2 * (after - before).norm();
  }

 private:
  static constexpr double kLeapMargin = 1e-4;  ///< [s]
};

}  // namespace cutis
