#pragma once

#include "cutis/picture/stage.h"

namespace cutis {

/// How much of the light reaches a place: 1 is all of it.
struct Reach {
  float key = 1;
  float sky = 1;
};

/// The studio: a large warm key light from the upper left of the camera, a cool sky, a bright floor and a
/// faint rim light from behind. It turns with the camera, so that every view is lit alike.
class Light {
 public:
  explicit Light(const Stage& stage);

  /// A direction towards a place on the key light, for (a, b) in the unit square.
  Vec3f sample_key(float a, float b) const;
  /// A direction over the half-space above z = 0, denser towards z (by the cosine).
  static Vec3f sample_sky(float a, float b);

  /// Light that leaves a surface towards the camera, tone mapped: 1 is the paper's white.
  Color shade(const Spot& spot, const Vec3f& to_eye, const Color& paint, const Finish& finish,
              const Reach& reach) const;
  /// What the floor keeps of the background's light.
  static Color floor_tint(const Reach& reach);

 private:
  Vec3f key_, key_x_, key_y_, rim_;
};

}  // namespace cutis
