#pragma once

#include <array>
#include <string>

#include "cutis/body/procedural/organic/implicit_body.h"
#include "cutis/body/rig/character.h"

namespace cutis {

/// How a finger stands and how big it is [m].
struct FingerShape {
  std::string name;
  Vec3 knuckle;                   ///< where the first of its three bones begins
  Vec3 along, up;                 ///< unit vectors: towards the tip, towards the nail
  std::array<double, 3> lengths;  ///< of the bones
  double radius;                  ///< at the knuckle; it tapers
  double fillet = 0.8;            ///< where it leaves the palm, in parts of the radius
};

/// Adds the joints NAME_1, NAME_2, NAME_3 below `parent`, with knuckles, a pad and a nail.
void add_finger(ImplicitBody& body, int parent, const FingerShape& shape);

/// The axis that flexes such a finger, towards its pad.
inline Vec3 flex_axis(const FingerShape& shape) { return shape.up.cross(shape.along).normalized(); }

/// An index finger along +x, nail up, with the end of its metacarpal bone: 10 cm. Clip "flex" (2 s): it
/// curls and stretches again. `edge` is the typical edge length [m].
Character make_finger(double edge);

}  // namespace cutis
