#include "cutis/skin/slide_limit.h"

#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {

SurfacePoint held_within(const Surface& rest, VertexId v, const SurfacePoint& p, double chord, double limit) {
  if (!(chord > limit)) return p;
  const Vec3& home = rest.positions()[v];
  const Vec3 held = home + limit / chord * (rest.position(p) - home);
  return closest_point_local(rest.topology(), rest.positions(), rest.point(v), held).point;
}

}  // namespace cutis
