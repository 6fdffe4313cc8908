#include "cutis/picture/render/light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutis {
namespace {

constexpr float kKeyRadius = 0.22f;  // tangent of the key light's half angle: 12 degrees
const Color kKeyLight(1.0f, 0.925f, 0.83f);
const Color kSkyLight(0.41f, 0.46f, 0.53f);
const Color kFloorLight(0.25f, 0.22f, 0.195f);
const Color kRimLight(0.30f, 0.34f, 0.40f);
// How far each colour bleeds past the terminator in skin: red scatters farthest.
const Color kBleed(0.32f, 0.13f, 0.08f);

/// Jimenez et al. 2016, "Practical real-time strategies for accurate indirect occlusion", Eq. 12: light that
/// bounces between the walls of a crease brightens it, in its own colour.
Color many_bounces(float open, const Color& paint) {
  const Color a = 2.0404f * paint - 0.3324f, b = -4.7951f * paint + 0.6417f, c = 2.7552f * paint + 0.6903f;
  return (((open * a + b) * open + c) * open).max(open);
}

/// Straight up to the knee, then bends towards white without ever passing it.
Color tone_map(const Color& light) {
  constexpr float knee = 0.62f, room = 1 - knee;
  return light.unaryExpr(
      [](float x) { return x <= knee ? x : knee + room * (1 - std::exp(-(x - knee) / room)); });
}

/// GGX highlight of a light from `h` half-way, widened by the light's own size; about 1 at its peak for 0.45.
float highlight(float n_h, float roughness) {
  const float a = std::max(roughness * roughness + 0.5f * kKeyRadius * 0.5f, 0.02f);
  const float d = n_h * n_h * (a * a - 1) + 1;
  return a * a / (std::numbers::pi_v<float> * d * d);
}

}  // namespace

Light::Light(const Stage& stage) {
  const Vec3f up = Vec3f::UnitY();
  const Vec3f right = stage.camera_right;
  const Vec3f toward = right.cross(up).normalized();  // from the subject to the camera, level
  key_ = (-0.62f * right + 0.78f * up + 0.62f * toward).normalized();
  rim_ = (0.75f * right + 0.35f * up - 0.55f * toward).normalized();
  key_x_ = key_.unitOrthogonal();
  key_y_ = key_.cross(key_x_);
}

Vec3f Light::sample_key(float a, float b) const {
  const float r = kKeyRadius * std::sqrt(a), angle = 2 * std::numbers::pi_v<float> * b;
  return (key_ + r * std::cos(angle) * key_x_ + r * std::sin(angle) * key_y_).normalized();
}

Vec3f Light::sample_sky(float a, float b) {
  const float r = std::sqrt(a), angle = 2 * std::numbers::pi_v<float> * b;
  return {r * std::cos(angle), r * std::sin(angle), std::sqrt(std::max(0.0f, 1 - a))};
}

Color Light::shade(const Spot& spot, const Vec3f& to_eye, const Color& paint, const Finish& finish,
                   const Reach& reach) const {
  const Vec3f& n = spot.normal;
  const float n_l = n.dot(key_), n_v = std::clamp(n.dot(to_eye), 0.02f, 1.0f);
  // Wrapped diffuse: (n.l + w) / (1 + w), w by colour.
  const Color wrap = finish.softness * kBleed;
  const Color diffuse = ((n_l + wrap) / (1 + wrap)).max(0);
  const Color sky = kFloorLight + (kSkyLight - kFloorLight) * (0.5f + 0.5f * n.y());
  // Even the deepest crease gets some light that found its way round corners.
  const float open = 0.1f + 0.9f * reach.sky;
  const float rim = std::max(0.0f, n.dot(rim_)) * reach.sky;
  // Skin's half shadow is redder than its light: the penumbra bleeds like the terminator does.
  const float bleed = 0.35f * finish.softness;
  const Color key_reach(std::pow(reach.key, 1 - bleed), reach.key, reach.key);
  Color out = paint * (kKeyLight * key_reach * diffuse + sky * many_bounces(open, paint) + kRimLight * rim);

  const Vec3f half = (key_ + to_eye).normalized();
  const float facing = std::clamp(n_l * 4, 0.0f, 1.0f);
  const float gloss = 0.06f * highlight(std::max(0.0f, n.dot(half)), finish.roughness) * facing * reach.key;
  const float grazing = std::pow(1 - n_v, 4.0f);
  out += finish.shine * (gloss * kKeyLight + 0.20f * grazing * reach.sky * sky);
  return tone_map(paint + finish.relief * (out - paint));
}

Color Light::floor_tint(const Reach& reach) {
  const Color key(0.50f, 0.49f, 0.47f), sky(0.50f, 0.51f, 0.53f);
  return key * reach.key + sky * reach.sky;
}

}  // namespace cutis
