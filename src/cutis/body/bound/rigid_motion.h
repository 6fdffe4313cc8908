#pragma once

#include <span>

#include "cutis/core/types.h"

namespace cutis {

/// A turn about a centre that itself moves.
struct RigidMotion {
  Mat3 rotation = Mat3::Identity();
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< the centre before and after

  Vec3 operator()(const Vec3& p) const { return to + rotation * (p - from); }
};

/// The motion that brings points nearest to others, in weighted least squares (Kabsch 1976, "A solution for
/// the best rotation to relate two sets of vectors"). Turns that the points leave open, as those about a line
/// on which all of them lie, are not made. Weights are not negative and not all zero.
RigidMotion fit_rigid_motion(std::span<const Vec3> from, std::span<const Vec3> to,
                             std::span<const double> weights);

}  // namespace cutis
