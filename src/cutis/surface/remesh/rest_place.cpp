#include "cutis/surface/remesh/rest_place.h"

#include <algorithm>
#include <limits>

#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

// A triangle within 72 degrees of the surface's normals is upright.
constexpr double upright_cosine = 0.3;
// Barycentrics below this are the rounding of a point on a side.
constexpr double on_side = 1e-9;

/// The border half-edge that p lies on or that arrives at it; invalid when p is inside.
HalfedgeId border_at(const Topology& t, const SurfacePoint& p) {
  const HalfedgeId first = t.halfedge(p.face);
  for (int k = 0; k < 3; ++k) {
    const HalfedgeId h(first.value + k);
    if (p.barycentric[(k + 2) % 3] < on_side && t.is_border(t.twin(h))) return t.twin(h);
    // At a vertex the border may belong to another face.
    if (p.barycentric[k] > 1 - on_side)
      if (const HalfedgeId arrives = t.twin(t.halfedge(t.from(h))); t.is_border(arrives)) return arrives;
  }
  return {};
}

struct BorderPoint {
  SurfacePoint point;
  double distance_squared = std::numeric_limits<double>::infinity();
};

/// The point of a border half-edge that is nearest to x.
BorderPoint nearest_on(const Surface& rest, HalfedgeId border, const Vec3& x) {
  const Topology& t = rest.topology();
  const HalfedgeId h = t.twin(border);
  const Vec3& a = rest.positions()[t.from(h)];
  const Vec3 way = rest.positions()[t.to(h)] - a;
  const double length2 = way.squaredNorm();
  const double s = length2 > 0 ? std::clamp(way.dot(x - a) / length2, 0.0, 1.0) : 0.0;
  BorderPoint nearest;
  nearest.point = {t.face(h), Vec3::Zero()};
  const int k = h.value - t.halfedge(nearest.point.face).value;
  nearest.point.barycentric[k] = 1 - s;
  nearest.point.barycentric[(k + 1) % 3] = s;
  nearest.distance_squared = (rest.position(nearest.point) - x).squaredNorm();
  return nearest;
}

}  // namespace

RestPlace rest_place(const Surface& rest, const SurfacePoint& p) {
  return {p, rest.position(p), interpolate(rest.mesh(), rest.normals(), p).normalized()};
}

double upright(const RestPlace& a, const RestPlace& b, const RestPlace& c) {
  const Vec3 ab = b.position - a.position, ac = c.position - a.position;
  const Vec3 area = ab.cross(ac), up = a.normal + b.normal + c.normal;
  const double size = area.norm(), longest2 = std::max(ab.squaredNorm(), ac.squaredNorm());
  if (!(size > 1e-10 * longest2) || !(up.squaredNorm() > 0)) return 0;
  return area.dot(up) / (size * up.norm());
}

bool stays_upright(double before, double after) { return after > upright_cosine || after >= before; }

RestPlace place_between(const Surface& rest, const RestPlace& a, const RestPlace& b, const Vec3& x) {
  const auto reached = [&](const RestPlace& start) {
    return closest_point_local(rest.topology(), rest.positions(), start.point, x);
  };
  const ClosestPoint from_a = reached(a), from_b = reached(b);
  return rest_place(rest, from_b.distance_squared < from_a.distance_squared ? from_b.point : from_a.point);
}

std::optional<RestPlace> border_place_between(const Surface& rest, const RestPlace& a, const RestPlace& b,
                                              const Vec3& x) {
  const Topology& t = rest.topology();
  const HalfedgeId start = border_at(t, a.point);
  if (!start.valid() || !border_at(t, b.point).valid()) return {};
  // Nothing farther along the border than twice the chord can be between the two.
  const double farthest = 2 * (b.position - a.position).norm();
  BorderPoint best = nearest_on(rest, start, x);
  for (const bool forwards : {true, false}) {
    double walked = 0;
    HalfedgeId h = start;
    do {
      h = forwards ? t.next(h) : t.prev(h);
      const BorderPoint candidate = nearest_on(rest, h, x);
      if (candidate.distance_squared < best.distance_squared) best = candidate;
      walked += (rest.positions()[t.to(h)] - rest.positions()[t.from(h)]).norm();
    } while (walked < farthest && h != start);
  }
  return rest_place(rest, best.point);
}

}  // namespace cutis
