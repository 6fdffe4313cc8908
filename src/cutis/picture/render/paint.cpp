#include "cutis/picture/render/paint.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

double field_value(const Spot& spot) {
  const SceneObject& object = *spot.object->source;
  if (object.field.size() != object.mesh->vertex_count())
    return object.field[std::size_t(spot.triangle->face)];
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    sum += double(spot.weights[i]) * object.field[std::size_t(spot.triangle->vertices[i])];
  return sum;
}

struct Mapped {
  Vec2 uv;
  double footprint;  ///< width of a pixel in the texture
};

Mapped mapped(const Spot& spot) {
  const auto& uvs = *spot.object->uvs;
  Vec2 corner[3];
  Vec3f point[3];
  Mapped m{Vec2::Zero(), 0};
  for (std::size_t i = 0; i < 3; ++i) {
    corner[i] = uvs[std::size_t(spot.triangle->corners[i])];
    point[i] = spot.object->points[std::size_t(spot.triangle->vertices[i])];
    m.uv += double(spot.weights[i]) * corner[i];
  }
  // Mean stretch of the map, from areas: texture units a stage unit.
  const Vec2 a = corner[1] - corner[0], b = corner[2] - corner[0];
  const double flat = std::abs(a.x() * b.y() - a.y() * b.x());
  const double area = (point[1] - point[0]).cross(point[2] - point[0]).norm();
  // A pixel is longer where the surface slants; the geometric mean of its two sides is taken.
  if (area > 0) m.footprint = double(spot.pixel) / std::sqrt(double(spot.slant)) * std::sqrt(flat / area);
  return m;
}

Color line_color(const Spot& spot) {
  const Look& look = spot.object->source->look;
  const auto triangle = std::size_t(spot.triangle - spot.object->source->mesh->triangles().data());
  const float light = (*look.lines)(triangle, {spot.weights[0], spot.weights[1], spot.weights[2]});
  return look.line_color + light * (look.finish.color - look.line_color);
}

float distance(const Vec2f& p, const Vec2f& a, const Vec2f& b) {
  const Vec2f along = b - a;
  const float length2 = along.squaredNorm();
  const float t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0f, 1.0f) : 0;
  return (p - a - t * along).norm();
}

}  // namespace

Color paint_color(const Spot& spot) {
  const Look& look = spot.object->source->look;
  if (look.paint == Paint::Lines) return line_color(spot);
  if (look.paint == Paint::Field) return look.scale.color(field_value(spot));
  if (look.paint == Paint::Plain || spot.object->uvs == nullptr) return look.finish.color;
  const Mapped at = mapped(spot);
  if (look.paint == Paint::Checker) return checker_color(at.uv, at.footprint, look.checker_cells);
  return look.texture->sample(at.uv, at.footprint);
}

/// The axes of u and v lie in the tangent plane of the smooth normal, square to each other, v on the side
/// where the triangle has it.
Vec3f painted_normal(const Spot& spot) {
  const Look& look = spot.object->source->look;
  if (!look.normal_map || spot.object->uvs == nullptr) return spot.normal;
  const auto& uvs = *spot.object->uvs;
  const auto point = [&](std::size_t i) {
    return spot.object->points[std::size_t(spot.triangle->vertices[i])];
  };
  const auto uv = [&](std::size_t i) { return uvs[std::size_t(spot.triangle->corners[i])]; };
  const Vec2f a = (uv(1) - uv(0)).cast<float>(), b = (uv(2) - uv(0)).cast<float>();
  const float area = a.x() * b.y() - a.y() * b.x();
  if (area == 0) return spot.normal;
  const Vec3f p = point(1) - point(0), q = point(2) - point(0);
  const Vec3f along_u = (b.y() * p - a.y() * q) / area, along_v = (a.x() * q - b.x() * p) / area;
  const Vec3f& n = spot.normal;
  const Vec3f u = (along_u - along_u.dot(n) * n).stableNormalized();
  Vec3f v = n.cross(u);
  if (v.dot(along_v) < 0) v = -v;
  const Mapped at = mapped(spot);
  const Color sample = 2 * look.normal_map->sample(at.uv, at.footprint) - 1;
  const Vec3f bent = sample[0] * u + sample[1] * v + std::max(sample[2], 0.1f) * n;
  return bent.stableNormalized();
}

float wire_cover(const Spot& spot, const Vec2f& pixel) {
  const Look& look = spot.object->source->look;
  if (look.wire_width <= 0) return 0;
  Vec2f p[3];
  for (std::size_t i = 0; i < 3; ++i) p[i] = spot.object->screen[std::size_t(spot.triangle->vertices[i])];
  float nearest = 1e9f, longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec2f &a = p[(i + 1) % 3], &b = p[(i + 2) % 3];
    longest = std::max(longest, (b - a).norm());
    if (spot.triangle->is_edge[i]) nearest = std::min(nearest, distance(pixel, a, b));
  }
  const float cover = std::clamp((look.wire_width / 2 - nearest) / 0.5f + 0.5f, 0.0f, 1.0f);
  // Where edges crowd within a few pixels the wire would turn to solid ink: it fades instead.
  const float room = std::clamp((longest - 1.5f) / 6.5f, 0.15f, 1.0f);
  return cover * look.wire_opacity * room;
}

}  // namespace cutis
