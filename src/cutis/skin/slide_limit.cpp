#include "cutis/skin/slide_limit.h"

#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {

SurfacePoint held_within(const Surface& rest, VertexId v, const SurfacePoint& p, double chord, double limit) {
  if (!(chord > limit)) return p;
  const Vec3& home = rest.positions()[v];
  const Vec3 held = home + limit / chord * (rest.position(p) - home);
  return closest_point_local(rest.topology(), rest.positions(), rest.point(v), held).point;
}

SurfacePoint moved_within(const Surface& rest, const Points& positions, const SurfacePoint& before,
                          const SurfacePoint& p, double reach) {
  const Vec3 from = interpolate(rest.mesh(), positions, before);
  const Vec3 way = interpolate(rest.mesh(), positions, p) - from;
  const double length = way.norm();
  if (!(length > reach)) return p;
  // No rings: near a fold these would reach the other sheet.
  return closest_point_local(rest.topology(), positions, before, from + reach / length * way, LocalSearch{0})
      .point;
}

}  // namespace cutis
