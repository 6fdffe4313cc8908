#include "cutis/picture/reach_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Neighbouring pixels take different stretches of one low-discrepancy sequence, ordered so that any small
/// block of pixels covers it evenly; what smoothing then averages is an even set of directions.
constexpr std::array<int, 16> kOrder{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};

/// Roberts 2018, the R2 sequence: steps by the powers of the plastic number's inverse.
float sequence(int i, double step) {
  const double x = 0.5 + i * step;
  return static_cast<float>(x - std::floor(x));
}
constexpr double kStepA = 0.7548776662466927, kStepB = 0.5698402909980532;

int first_sample(int x, int y, int samples) {
  return samples * kOrder[std::size_t(x & 3) + 4 * std::size_t(y & 3)];
}

constexpr float kFar = 4;  // nothing in the unit sphere is farther away than that

}  // namespace

ReachMap::ReachMap(const Stage& stage, const Light& light, const RenderOptions& options)
    : stage_(stage),
      width_(options.width),
      height_(options.height),
      samples_(std::max(1, options.light_samples)),
      cells_(std::size_t(options.width) * std::size_t(options.height)),
      shaded_(std::size_t(tile_columns()) * std::size_t(tile_rows()), 0) {
  for (int i = 0; i < samples_ * static_cast<int>(kOrder.size()); ++i) {
    const float a = sequence(i, kStepA), b = sequence(i, kStepB);
    key_directions_.push_back(light.sample_key(a, b));
    sky_directions_.push_back(Light::sample_sky(a, b));
  }
  parallel_for(
      cells_.size(),
      [&](std::size_t i) {
        cells_[i] = look(int(i % std::size_t(width_)), int(i / std::size_t(width_)), options.lit);
      },
      512);
  if (!options.lit) return;
  light_floor(std::max(1, options.floor_block));
  find_shaded_tiles();
  smooth(1);
  smooth(2);
  if (options.floor_block > 1) smooth(4, true);  // the grain of its blocks
}

ReachMap::Cell ReachMap::look(int x, int y, bool lit) const {
  Cell cell;
  const PixelRay ray = stage_.ray(float(x) + 0.5f, float(y) + 0.5f);
  const bool occupied = stage_.occupied(float(x) + 0.5f, float(y) + 0.5f);
  RayHit hit;
  if (occupied) hit = stage_.solid_rays.closest(ray.origin, ray.direction, 0, INFINITY);
  if (occupied)
    cell.covered = hit.found() || stage_.ghost_rays.closest(ray.origin, ray.direction, 0, INFINITY).found() ||
                   stage_.trail_rays.closest(ray.origin, ray.direction, 0, INFINITY).found();
  if (hit.found()) {
    const Spot spot = stage_.spot(stage_.solids[std::size_t(hit.shape)], ray, hit);
    cell.kind = hit.shape;
    cell.position = spot.position;
    cell.normal = spot.normal;
    cell.pixel = spot.pixel;
    if (lit) cell.reach = trace(spot.lifted, spot.normal, first_sample(x, y, samples_), samples_);
  } else if (const auto t = stage_.floor_hit(ray)) {
    cell.kind = Floor;
    cell.position = ray.origin + *t * ray.direction;
    cell.pixel = 0.01f;
  }
  return cell;
}

/// Each block by the first of its pixels that shows the floor.
void ReachMap::light_floor(int block) {
  const int columns = (width_ + block - 1) / block, rows = (height_ + block - 1) / block;
  parallel_for(
      std::size_t(columns) * std::size_t(rows),
      [&](std::size_t i) {
        const int left = int(i % std::size_t(columns)), top = int(i / std::size_t(columns));
        std::optional<Reach> reach;
        for (int y = top * block; y < std::min(height_, (top + 1) * block); ++y)
          for (int x = left * block; x < std::min(width_, (left + 1) * block); ++x) {
            Cell& cell = cells_[std::size_t(y) * std::size_t(width_) + std::size_t(x)];
            if (cell.kind != Floor) continue;
            if (std::hypot(cell.position.x(), cell.position.z()) >= 2 * kFloorReach) continue;
            if (!reach)
              reach = trace(cell.position + Vec3f(0, 1e-4f, 0), cell.normal,
                            first_sample(left, top, samples_), samples_);
            cell.reach = *reach;
          }
      },
      128);
}

void ReachMap::find_shaded_tiles() {
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const Reach& reach = cell(x, y).reach;
      if (reach.key == 1 && reach.sky == 1) continue;
      for (int row = std::max(0, y / kTile - 1); row <= std::min(tile_rows() - 1, y / kTile + 1); ++row)
        for (int column = std::max(0, x / kTile - 1); column <= std::min(tile_columns() - 1, x / kTile + 1);
             ++column)
          shaded_[tile(column * kTile, row * kTile)] = 1;
    }
}

Reach ReachMap::trace(const Vec3f& origin, const Vec3f& normal, int first, int count) const {
  int key = 0, sky = 0;
  const Vec3f x = normal.unitOrthogonal(), y = normal.cross(x);
  for (int i = first; i < first + count; ++i) {
    Vec3f toward = key_directions_[std::size_t(i)];
    // Beyond the terminator the key comes through the skin: it is asked for along the mirrored direction,
    // which joins up smoothly at the terminator.
    const float n_l = normal.dot(toward);
    if (n_l < 0) toward -= 2 * n_l * normal;
    key += !(stage_.may_block(origin, toward) && stage_.solid_rays.blocked(origin, toward, kFar));
    const Vec3f& up = sky_directions_[std::size_t(i)];
    toward = up.x() * x + up.y() * y + up.z() * normal;
    sky += !(stage_.may_block(origin, toward) && stage_.solid_rays.blocked(origin, toward, kFar));
  }
  return {float(key) / float(count), float(sky) / float(count)};
}

float ReachMap::kinship(const Cell& a, int kind, const Vec3f& position, const Vec3f& normal, float pixel) {
  if (a.kind != kind) return 0;
  const float agree = std::max(0.0f, a.normal.dot(normal));
  const float sharp = agree * agree * agree * agree;
  const float off = normal.dot(a.position - position) / (4 * pixel);
  return sharp * sharp / (1 + off * off * off * off);
}

void ReachMap::smooth(int step, bool floor_only) {
  // One round of an edge-stopping a-trous filter (Dammertz et al. 2010) with the B3 spline.
  static constexpr std::array<float, 5> kSpline{1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f};
  std::vector<Reach> out(cells_.size());
  parallel_for(
      cells_.size(),
      [&](std::size_t i) {
        const Cell& here = cells_[i];
        out[i] = here.reach;
        if (here.kind == Nothing || (floor_only && here.kind != Floor)) return;
        const int x = int(i % std::size_t(width_)), y = int(i / std::size_t(width_));
        if (!shaded(x, y)) return;
        float total = 0, key = 0, sky = 0;
        for (int dy = -2; dy <= 2; ++dy)
          for (int dx = -2; dx <= 2; ++dx) {
            const int px = x + dx * step, py = y + dy * step;
            if (px < 0 || py < 0 || px >= width_ || py >= height_) continue;
            const Cell& there = cell(px, py);
            if (there.kind != here.kind) continue;
            float w = kSpline[std::size_t(dx + 2)] * kSpline[std::size_t(dy + 2)];
            if (here.kind != Floor) w *= kinship(there, here.kind, here.position, here.normal, here.pixel);
            total += w;
            key += w * there.reach.key;
            sky += w * there.reach.sky;
          }
        if (total > 0) out[i] = {key / total, sky / total};
      },
      512);
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i].reach = out[i];
}

bool ReachMap::busy(int x, int y) const {
  for (int py = std::max(0, y - 1); py <= std::min(height_ - 1, y + 1); ++py)
    for (int px = std::max(0, x - 1); px <= std::min(width_ - 1, x + 1); ++px)
      if (cell(px, py).covered) return true;
  return false;
}

Reach ReachMap::at(float x, float y, int kind, const Vec3f& position, const Vec3f& normal,
                   float pixel) const {
  const int left = int(std::floor(x - 0.5f)), top = int(std::floor(y - 0.5f));
  float total = 0, key = 0, sky = 0;
  float kin = 0, kin_key = 0, kin_sky = 0;  // of the same object, whichever way it faces
  for (int py = top; py <= top + 1; ++py)
    for (int px = left; px <= left + 1; ++px) {
      if (px < 0 || py < 0 || px >= width_ || py >= height_ || cell(px, py).kind != kind) continue;
      const Cell& there = cell(px, py);
      const float near = (1 - std::abs(x - 0.5f - float(px))) * (1 - std::abs(y - 0.5f - float(py))) + 1e-3f;
      const float w = near * kinship(there, kind, position, normal, pixel);
      total += w;
      key += w * there.reach.key;
      sky += w * there.reach.sky;
      kin += near;
      kin_key += near * there.reach.key;
      kin_sky += near * there.reach.sky;
    }
  if (total > 1e-2f * kin && total > 0) return {key / total, sky / total};
  if (kin > 0) return {kin_key / kin, kin_sky / kin};
  // Too thin for any pixel centre to have seen: a few rays of its own.
  return trace(position + 5e-4f * normal, normal, 0, samples_);
}

}  // namespace cutis
