#include "cutis/surface/geodesic/log_map.h"

#include <array>
#include <cmath>
#include <numbers>

namespace cutis {
namespace {

Vec2 polar(double length, double angle) { return {length * std::cos(angle), length * std::sin(angle)}; }

/// The corner of the face at which the point lies, if it does.
HalfedgeId corner_at(const Topology& t, const SurfacePoint& p) {
  for (int k = 0; k < 3; ++k)
    if (p.barycentric[(k + 1) % 3] <= Geodesics::snap && p.barycentric[(k + 2) % 3] <= Geodesics::snap)
      return HalfedgeId(t.halfedge(p.face).value + k);
  return {};
}

/// How directions around a corner's vertex are laid into the plane of the corner's face.
class CornerChart {
 public:
  CornerChart(const GeodesicMetric& metric, HalfedgeId corner)
      : total_(metric.total_angle(metric.topology().from(corner))),
        width_(metric.corner_angle(corner)),
        polar_(metric.polar_angle(corner)),
        border_(metric.topology().is_border(metric.topology().from(corner))) {
    const Topology& t = metric.topology();
    const int k = corner.value - t.halfedge(t.face(corner)).value;
    // The direction of the corner's half-edge in the face: turned by the outer angles of the corners before.
    for (int i = 1; i <= k; ++i)
      side_ += pi - metric.corner_angle(HalfedgeId(t.halfedge(t.face(corner)).value + i));
  }

  /// From an angle around the vertex to one in the face's frame.
  double operator()(double direction) const {
    double a = direction - polar_;
    if (border_) return side_ + a;
    if (a < 0) a += total_;
    // Angles around the vertex and what they become, each piece spread evenly.
    const std::array<double, 5> from{0, width_, total_ / 2, total_ / 2 + width_, total_};
    const std::array<double, 5> to{0, width_, pi, pi + width_, 2 * pi};
    // A corner wider than half the total angle leaves no opposite wedge: then all but it is spread evenly.
    if (width_ >= total_ / 2)
      return side_ + (a <= width_ ? a : width_ + (a - width_) * (2 * pi - width_) / (total_ - width_));
    std::size_t piece = 0;
    while (piece < 3 && a > from[piece + 1]) ++piece;
    const double share = (a - from[piece]) / (from[piece + 1] - from[piece]);
    return side_ + to[piece] + share * (to[piece + 1] - to[piece]);
  }

 private:
  double total_, width_, polar_;
  bool border_;
  double side_ = 0;
};

template <class Angle>
void fill(const Geodesics& geodesics, const Angle& angle, LogMap& result) {
  result.vertices = geodesics.reached();
  result.coordinates.clear();
  for (VertexId v : result.vertices)
    result.coordinates.push_back(polar(geodesics.distance(v), angle(geodesics.direction(v))));
}

}  // namespace

void log_map(Geodesics& geodesics, const SurfacePoint& centre, double radius, LogMap& result) {
  geodesics.from_points(std::span(&centre, 1), radius);
  const HalfedgeId corner = corner_at(geodesics.metric().topology(), centre);
  if (corner.valid())
    fill(geodesics, CornerChart(geodesics.metric(), corner), result);
  else
    fill(
        geodesics, [](double direction) { return direction; }, result);
}

void log_map(Geodesics& geodesics, VertexId centre, double radius, LogMap& result) {
  geodesics.from_vertices(std::span(&centre, 1), radius);
  result.vertices = geodesics.reached();
  result.coordinates.clear();
  for (VertexId v : result.vertices) result.coordinates.push_back(log_coordinates(geodesics, centre, v));
}

Vec2 log_coordinates(const Geodesics& geodesics, VertexId source, VertexId v) {
  const GeodesicMetric& metric = geodesics.metric();
  const double scale = metric.topology().is_border(source) ? 1 : 2 * pi / metric.total_angle(source);
  return polar(geodesics.distance(v), scale * geodesics.direction(v));
}

std::optional<Vec2> log_point(Geodesics& geodesics, const SurfacePoint& from, const SurfacePoint& to,
                              double radius) {
  const Geodesics::Path path = geodesics.between(from, to, radius);
  if (path.distance == Geodesics::infinity) return std::nullopt;
  const HalfedgeId corner = corner_at(geodesics.metric().topology(), from);
  if (!corner.valid()) return polar(path.distance, path.direction);
  return polar(path.distance, CornerChart(geodesics.metric(), corner)(path.direction));
}

}  // namespace cutis
