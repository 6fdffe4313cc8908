#include "cutis/picture/render/render.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/picture/reach_map.h"
#include "cutis/picture/render/light.h"
#include "cutis/picture/render/paint.h"
#include "cutis/picture/stage.h"

namespace cutis {
namespace {

constexpr int kMaxPixels = 1 << 25;
constexpr int kMaxGhostLayers = 12;
constexpr float kFieldRelief = 0.72f;
constexpr float kWetRoughness = 0.12f;

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

/// Ordered dithering by less than one step of a byte: the background's gentle gradients show no bands, and
/// where a colour is flat the pattern is the same in every frame.
void store_dithered(unsigned char* pixel, const Color& color, int x, int y) {
  static constexpr std::array<int, 16> kBayer{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  const float offset = (float(kBayer[std::size_t(x & 3) + 4 * std::size_t(y & 3)]) + 0.5f) / 16 - 0.5f;
  for (int c = 0; c < 3; ++c) {
    const float encoded = 255 * encode_srgb(std::clamp(color[c], 0.0f, 1.0f)) + offset;
    pixel[c] = static_cast<unsigned char>(std::clamp(std::lround(encoded), 0L, 255L));
  }
}

/// Works out one picture, sample by sample.
class Painter {
 public:
  Painter(const Scene& scene, const Camera& camera, const RenderOptions& options)
      : options_(options), stage_(scene, camera, options), light_(stage_), reach_(stage_, light_, options) {}

  Color pixel(int x, int y) const {
    const Color paper = background(x, y);
    if (!reach_.busy(x, y)) return empty(float(x) + 0.5f, float(y) + 0.5f, paper);
    Color sum = Color::Zero();
    const int n = std::max(1, options_.samples);
    for (int i = 0; i < n; ++i) {
      // Rank-1 lattice with golden-ratio steps: evenly spread in x, in y and over the square.
      const float dx = (float(i) + 0.5f) / float(n);
      const float dy = std::fmod(0.5f + 0.61803399f * float(i), 1.0f);
      sum += sample(float(x) + dx, float(y) + dy, paper);
    }
    return sum / float(n);
  }

 private:
  RenderOptions options_;
  Stage stage_;
  Light light_;
  ReachMap reach_;

  Color background(int x, int y) const {
    const float v = (float(y) + 0.5f) / float(options_.height), u = (float(x) + 0.5f) / float(options_.width);
    const Color base = options_.background_top + (options_.background_bottom - options_.background_top) * v;
    const float off = (u - 0.5f) * (u - 0.5f) + 0.8f * (v - 0.45f) * (v - 0.45f);
    return options_.lit ? Color(base * (1 - 0.16f * smooth_step(0.05f, 0.55f, off))) : base;
  }

  Color floor(const PixelRay& ray, float t, float x, float y, const Color& paper) const {
    const Vec3f p = ray.origin + t * ray.direction;
    const float fade = 1 - smooth_step(kFloorReach, 2 * kFloorReach, std::hypot(p.x(), p.z()));
    if (fade <= 0 || !options_.lit) return paper;
    const Reach reach = reach_.at(x, y, ReachMap::Floor, p, Vec3f::UnitY(), 0.01f);
    return paper * (1 + fade * (Light::floor_tint(reach) - 1));
  }

  /// Where nothing but the floor can be.
  Color empty(float x, float y, const Color& paper) const {
    if (!reach_.shaded(int(x), int(y))) return paper;
    const PixelRay ray = stage_.ray(x, y);
    const auto t = stage_.floor_hit(ray);
    return t ? floor(ray, *t, x, y, paper) : paper;
  }

  Color surface(const Spot& spot, const PixelRay& ray, int kind, float x, float y) const {
    const Look& look = spot.object->source->look;
    Color paint = paint_color(spot);
    const float wire = wire_cover(spot, Vec2f(x, y));
    paint += wire * (look.wire_color - paint);
    if (!options_.lit) return paint;
    const Reach reach =
        kind >= 0 ? reach_.at(x, y, kind, spot.position, spot.normal, spot.pixel) : Reach{0.85f, 0.9f};
    Finish finish = look.finish;
    if (look.paint == Paint::Field) finish.relief *= kFieldRelief;
    Spot lit = spot;
    lit.normal = painted_normal(spot);
    return light_.shade(lit, -ray.direction, paint, finish, reach);
  }

  /// Ghosts in front of `far`, nearest first, over what lies behind them.
  Color through_ghosts(const PixelRay& ray, float far, float x, float y, Color behind) const {
    Color sum = Color::Zero();
    float clear = 1, near = 0;
    for (int layer = 0; layer < kMaxGhostLayers && clear > 0.02f; ++layer) {
      const RayHit hit = stage_.ghost_rays.closest(ray.origin, ray.direction, near, far);
      if (!hit.found()) break;
      const Spot spot = stage_.spot(stage_.ghosts[std::size_t(hit.shape)], ray, hit);
      // More of a thin film is met where it is seen edge on.
      const float rim = std::pow(1 - std::abs(spot.normal.dot(ray.direction)), 2.0f);
      const float film = spot.object->source->look.opacity * (0.6f + 0.8f * rim);
      const float alpha = std::clamp(std::max(film, wire_cover(spot, Vec2f(x, y))), 0.0f, 1.0f);
      sum += clear * alpha * surface(spot, ray, -1, x, y);
      clear *= 1 - alpha;
      near = hit.t + 1e-4f;
    }
    return sum + clear * behind;
  }

  Color trail(const PixelRay& ray, const RayHit& hit, const Color& behind) const {
    const Trail& trail = *stage_.trails[std::size_t(hit.shape)];
    const float age = (float(hit.primitive) + hit.u) / float(trail.points.size() - 1);
    const float round = std::abs(hit.normal.normalized().dot(ray.direction));
    const Color lit = trail.color * (0.55f + 0.45f * round);
    return behind + (lit - behind) * smooth_step(-0.15f, 0.7f, age);
  }

  Color sample(float x, float y, const Color& paper) const {
    const PixelRay ray = stage_.ray(x, y);
    const RayHit hit = stage_.solid_rays.closest(ray.origin, ray.direction, 0, INFINITY);
    Color color = paper;
    float depth = INFINITY;
    if (hit.found()) {
      color = surface(stage_.spot(stage_.solids[std::size_t(hit.shape)], ray, hit), ray, hit.shape, x, y);
      depth = hit.t;
    } else if (const auto t = stage_.floor_hit(ray)) {
      color = floor(ray, *t, x, y, paper);
      depth = *t;
    }
    const RayHit tube = stage_.trail_rays.closest(ray.origin, ray.direction, 0, depth);
    if (tube.found()) {
      color = trail(ray, tube, color);
      depth = tube.t;
    }
    return stage_.ghosts.empty() ? color : through_ghosts(ray, depth, x, y, color);
  }
};

}  // namespace

Finish skin_finish(float gloss) {
  Finish finish;
  finish.roughness += gloss * (kWetRoughness - finish.roughness);
  return finish;
}
Finish clay_finish() { return {srgb(0xc9c3ba), 0.6f, 0.5f, 0.25f, 1}; }

Image render(const Scene& scene, const Camera& camera, const RenderOptions& options) {
  if (options.width < 1 || options.height < 1 || options.width > kMaxPixels / options.height)
    throw InputError(fmt::format("a picture of {} x {} pixels: it must have at least one and at most {}",
                                 options.width, options.height, kMaxPixels));
  const Painter painter(scene, camera, options);
  Image image(options.width, options.height);
  const auto width = std::size_t(options.width);
  parallel_for(
      width * std::size_t(options.height),
      [&](std::size_t i) {
        const int x = int(i % width), y = int(i / width);
        store_dithered(image.pixel(x, y), painter.pixel(x, y), x, y);
      },
      512);
  return image;
}

}  // namespace cutis
