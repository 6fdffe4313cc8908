#include "cutis/surface/field/smooth_lines.h"

#include <algorithm>
#include <cmath>

#include "cutis/surface/geodesic/frames.h"

namespace cutis {
namespace {

/// The unit vector at twice the angle, which is the same for v and -v.
Vec2 doubled(const Vec2& v) { return {v.x() * v.x() - v.y() * v.y(), 2 * v.x() * v.y()}; }

/// The way back, without angles: cos² = (1 + cos 2a) / 2. Any unit vector for zero.
Vec2 halved(const Vec2& v) {
  const double length = v.norm();
  if (!(length > 0)) return Vec2::UnitX();
  const double c = v.x() / length;
  return {std::sqrt(std::max(0.0, 0.5 + 0.5 * c)),
          std::copysign(std::sqrt(std::max(0.0, 0.5 - 0.5 * c)), v.y())};
}

}  // namespace

SmoothLines::SmoothLines(const Surface& surface, const LineDirections& directions)
    : x_(directions.size()), y_(directions.size()), double_angle_(surface.topology().corner_count()) {
  const Topology& t = surface.topology();
  const TangentFrames frames(t, surface.positions());
  IdVector<VertexId, Vec2> at_vertex(t.vertex_count(), Vec2::Zero());
  for (CornerId c : ids<CornerId>(t.corner_count())) {
    const Vec2 d = frames.frame(t.face(c)).components(directions[t.face(c)]);
    at_vertex[t.from(c)] += doubled(frames.to_vertex(c, d));
  }
  for (CornerId c : ids<CornerId>(t.corner_count()))
    double_angle_[c] = doubled(frames.to_face(c, halved(at_vertex[t.from(c)])));
  for (FaceId f : ids<FaceId>(directions.size())) {
    x_[f] = frames.frame(f).x;
    y_[f] = frames.frame(f).y;
  }
}

Vec3 SmoothLines::operator()(const SurfacePoint& p, const Vec3& along) const {
  Vec2 sum = Vec2::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    sum += p.barycentric[Eigen::Index(k)] * double_angle_[CornerId(3 * p.face.index() + k)];
  const Vec2 d = halved(sum);
  const Vec3 line = d.x() * x_[p.face] + d.y() * y_[p.face];
  return line.dot(along) < 0 ? Vec3(-line) : line;
}

}  // namespace cutis
