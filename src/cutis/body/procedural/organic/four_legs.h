#pragma once

#include <string>

#include "cutis/body/procedural/poser.h"

namespace cutis {

/// Where the bones of a leg meet, from above; all four have one x, so a leg bends in its own plane.
struct LegShape {
  std::string name;
  bool hind;
  int side;
  double phase;  ///< of its step in the cycle
  Vec3 root, middle, heel, paw;
};

/// What a clip needs to know of a leg. The joints below `upper` follow it in number.
struct LegPose {
  LegShape shape;
  int upper;
};

/// `heel`: how far it is lifted, up to 1.
void place_foot(const LegPose& leg, const Vec3& offset, double heel, Poser& pose);

struct Trot {
  double stance;  ///< part of the cycle that a foot stands
  double stride;  ///< [m]
  double lift;    ///< of a foot in the air [m]
};
/// A hind leg and the fore leg across from it together; the feet go back and forth below a body that stays.
void trot_on_the_spot(const LegPose& leg, double cycles, const Trot& trot, Poser& pose);

}  // namespace cutis
