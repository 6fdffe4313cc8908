#include "cutis/body/procedural/organic/four_legs.h"

#include <cmath>

namespace cutis {

void place_foot(const LegPose& leg, const Vec3& offset, double heel, Poser& pose) {
  const LegShape& at = leg.shape;
  const double pitch = (at.hind ? 30 : 42) * kDegree * heel;
  const Quat turn(Eigen::AngleAxisd(pitch, Vec3::UnitX()));
  const Vec3 bend = at.hind ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ());
  pose.reach(leg.upper, leg.upper + 1, leg.upper + 2, offset + at.paw + turn * (at.heel - at.paw), bend,
             bend);
  pose.orient(leg.upper + 2, turn);
  pose.orient(leg.upper + 3, Quat(Eigen::AngleAxisd(0.35 * pitch, Vec3::UnitX())));
}

void trot_on_the_spot(const LegPose& leg, double cycles, const Trot& trot, Poser& pose) {
  const double turn = cycles + (leg.shape.hind == (leg.shape.side > 0) ? 0 : 0.5),
               u = turn - std::floor(turn);
  Vec3 offset(0, 0, trot.stride * (0.5 - u / trot.stance));
  if (u >= trot.stance) {
    const double v = (u - trot.stance) / (1 - trot.stance);
    offset = {0, trot.lift * std::pow(std::sin(pi * v), 2), trot.stride * (ease(0, 1, v) - 0.5)};
  }
  place_foot(leg, offset, pulse(0.2, 0.45, 0.55, 0.95, u), pose);
}

}  // namespace cutis
