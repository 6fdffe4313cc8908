#pragma once

#include <map>
#include <string>
#include <vector>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// A bone with coordinates around it that mean the same place on every human: how far along it (0 at its
/// start, 1 at its end) and the angle around it.
struct HumanBone {
  Vec3 from, to;       ///< [m]
  Vec3 front;          ///< unit, across the bone: angle 0. The body's front; on feet what points up
  Vec3 side;           ///< unit: angle 90 degrees. The body's left on trunk, neck and head, else outwards
  double reach = 0;    ///< how far from the bone its skin may lie [m]
  bool outer = false;  ///< of several layers of skin the outermost counts (a mouth has an inside)

  Vec2 coordinates(const Vec3& p) const;  ///< along, angle [rad]
  Vec3 axis_point(double along) const { return from + along * (to - from); }
  Vec3 outwards(double angle) const;  ///< unit
  /// Distance of a point to the bone itself [m].
  double distance(const Vec3& p) const;
};

/// The bones whose joints were found: trunk (between the hips to between the shoulders), neck, head (from the
/// height of the nose's tip to the top), and left_ and right_ upper_arm, forearm, hand, thigh, shin, foot.
/// `surface` is the body at rest.
std::map<std::string, HumanBone> human_bones(const std::map<std::string, Vec3>& joints,
                                             const Surface& surface);

/// Where a bone's coordinates lie on the skin; an invalid face where there is none within reach, or further
/// than a bone's length beyond its ends.
class BoneRays {
 public:
  /// Keeps references to both.
  BoneRays(const Surface& surface, const HumanBone& bone);
  SurfacePoint operator()(double along, double angle) const;

 private:
  const Surface& surface_;
  const HumanBone& bone_;
  /// Faces that may be hit, by where they lie along the bone: a ray goes straight out, so it stays in its
  /// slice.
  std::vector<std::vector<FaceId>> slices_;
};

}  // namespace cutis
