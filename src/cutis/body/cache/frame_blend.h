#pragma once

#include <array>
#include <vector>

#include "cutis/core/types.h"

namespace cutis {

/// A position at some time as a sum of at most four neighbouring frames.
struct FrameBlend {
  std::size_t first = 0;  ///< frame
  int count = 1;
  std::array<double, 4> weights{1, 0, 0, 0};
};

/// Cubic Hermite interpolation between the frames before and after `time`: exact at frames, with a continuous
/// velocity (C1) that reproduces motions quadratic in time. `times` rise, evenly or not; there is at least
/// one. Before the first and after the last the motion holds still.
FrameBlend blend_at(const std::vector<double>& times, double time);

/// A position at some time as a sum of the frames before and after it and of their velocities.
struct HermiteBlend {
  std::size_t frame = 0;        ///< before it
  std::size_t next = 0;         ///< after it; the same at a frame and where the motion holds still
  double position[2] = {1, 0};  ///< weights of the two positions
  double velocity[2] = {0, 0};  ///< and of the velocities [s]
};

/// Cubic Hermite interpolation for frames whose velocities are known; as blend_at() otherwise.
HermiteBlend hermite_at(const std::vector<double>& times, double time);

/// `point` gives the place of a vertex in a frame.
template <class Point>
Vec3 blended(const FrameBlend& blend, const Point& point) {
  Vec3 sum = blend.weights[0] * point(blend.first);
  for (int k = 1; k < blend.count; ++k)
    sum += blend.weights[static_cast<std::size_t>(k)] * point(blend.first + static_cast<std::size_t>(k));
  return sum;
}

}  // namespace cutis
