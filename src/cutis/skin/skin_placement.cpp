#include "cutis/skin/skin_placement.h"

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

SkinPlacement::SkinPlacement(const Body& body, SlidesOn on)
    : body_(body), triangles_(triangulated(body.mesh())), now_(body.mesh().positions) {
  if (on != SlidesOn::Polygon) limit_.emplace(body.mesh(), triangles_);
  if (on == SlidesOn::Cage) cage_.emplace(body.mesh(), *limit_);
}

void SkinPlacement::update(const Points& body) {
  now_ = body;
  if (cage_)
    limit_->update(cage_->control(now_, angle_weighted_normals(triangles_.mesh, now_)));
  else if (limit_)
    limit_->update(now_);
}

Vec3 SkinPlacement::slide(VertexId v, const SurfacePoint& to) const {
  if (limit_) return limit_->slid_position(v, Vec3::Zero(), to);
  // A corner of any face around v is v itself: rounding must not move it.
  const auto face = triangles_.mesh.face(to.face);
  for (int k = 0; k < 3; ++k)
    if (face[k] == v && to.barycentric[k] == 1) return Vec3::Zero();
  return interpolate(triangles_.mesh, now_, to) - now_[v];
}

SourcePoints SkinPlacement::operator()(const SourcePoints& now, const SurfaceMap::Points& points) {
  update(body_.weld().gather(now));
  Points slides(points.size(), Vec3::Zero());
  parallel_for(points.size(),
               [&](std::size_t i) { slides[VertexId(i)] = slide(VertexId(i), points[VertexId(i)]); });
  SourcePoints positions = now;
  for (SourceVertexId v : ids<SourceVertexId>(positions.size()))
    positions[v] += slides[body_.weld().vertex_of[v]];
  return positions;
}

}  // namespace cutis
