#include "cutis/body/bound/rigid_motion.h"

#include "cutis/material/solid/signed_svd.h"

namespace cutis {

RigidMotion fit_rigid_motion(std::span<const Vec3> from, std::span<const Vec3> to,
                             std::span<const double> weights) {
  // Decides about turns that the points leave open, and is too weak to change any other.
  constexpr double kStill = 1e-9;
  RigidMotion motion;
  double sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    sum += weights[i];
    motion.from += weights[i] * from[i];
    motion.to += weights[i] * to[i];
  }
  motion.from /= sum;
  motion.to /= sum;
  Mat3 covariance = Mat3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    covariance += weights[i] * (to[i] - motion.to) * (from[i] - motion.from).transpose();
    size += weights[i] * (from[i] - motion.from).squaredNorm();
  }
  if (!(size > 0)) return motion;
  const SignedSvd svd = signed_svd(covariance / size + kStill * Mat3::Identity());
  motion.rotation = svd.U * svd.V.transpose();
  return motion;
}

}  // namespace cutis
