#include "cutis/slide/skin_placement.h"

#include "cutis/core/parallel.h"
#include "cutis/surface/surface.h"

namespace cutis {

SkinPlacement::SkinPlacement(const Body& body, SlidesOn on)
    : body_(body), triangles_(triangulated(body.mesh())) {
  if (on != SlidesOn::Polygon) limit_.emplace(body.mesh(), triangles_);
  if (on == SlidesOn::Cage) cage_.emplace(body.mesh(), *limit_);
}

Vec3 SkinPlacement::slide(VertexId v, const SurfacePoint& to, const Points& body) const {
  if (limit_) return limit_->slid_position(v, Vec3::Zero(), to);
  // A corner of any face around v is v itself: rounding must not move it.
  const auto face = triangles_.mesh.face(to.face);
  for (int k = 0; k < 3; ++k)
    if (face[k] == v && to.barycentric[k] == 1) return Vec3::Zero();
  return interpolate(triangles_.mesh, body, to) - body[v];
}

SourcePoints SkinPlacement::operator()(const SourcePoints& now, const SurfaceMap::Points& points) {
  const Points body = body_.weld().gather(now);
  if (cage_)
    limit_->update(cage_->control(body, angle_weighted_normals(triangles_.mesh, body)));
  else if (limit_)
    limit_->update(body);
  Points slides(points.size(), Vec3::Zero());
  parallel_for(points.size(),
               [&](std::size_t i) { slides[VertexId(i)] = slide(VertexId(i), points[VertexId(i)], body); });
  SourcePoints positions = now;
  for (SourceVertexId v : ids<SourceVertexId>(positions.size()))
    positions[v] += slides[body_.weld().vertex_of[v]];
  return positions;
}

}  // namespace cutis
