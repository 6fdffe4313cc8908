#pragma once

#include "cutis/skin/tracked/tracked.h"
#include "skin/lagrangian/lagrangian_bodies.h"

namespace cutis::test {

/// Biphasic skin as a shot has it, of a simple law.
inline TrackedOptions tracked_options() {
  SkinLaw law;
  law.model = MaterialModel::StableNeoHookean;
  law.young = 3e4;
  law.poisson = 0.3;
  law.biphasic = true;
  law.biphasic_young = 3e5;
  TrackedOptions options;
  options.material = make_material(law);
  options.surface = SlidesOn::Polygon;
  options.free_border = true;
  return options;
}

/// From 0 to 1 in a time, without a jump of its velocity.
inline double rise(double t, double seconds) {
  const double s = std::clamp(t / seconds, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

/// To and fro along a direction, at rest at the beginning.
inline Motion shaken(const Vec3& amplitude, double hertz) {
  return
      [=](const Vec3& x, double t) -> Vec3 { return x + amplitude * (1 - std::cos(2 * pi * hertz * t)) / 2; };
}

}  // namespace cutis::test
