#include "cutis/skin/force_density/straight_paths.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cutis/surface/geodesic/trace.h"

namespace cutis {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;

/// In [0, 2 pi).
double wrapped(double angle) {
  const double rest = std::fmod(angle, kFullTurn);
  return rest < 0 ? rest + kFullTurn : rest;
}

/// Unit normals at the vertices, weighted by angle.
IdVector<VertexId, Vec3> vertex_normals(const Topology& t, const Points& positions) {
  IdVector<VertexId, Vec3> normals(t.vertex_count(), Vec3::Zero());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const Vec3 u = positions[t.to(h)] - positions[t.from(h)],
               v = positions[t.from(t.prev(h))] - positions[t.from(h)];
    const Vec3 cross = u.cross(v);
    if (cross.norm() > 0) normals[t.from(h)] += std::atan2(cross.norm(), u.dot(v)) * cross.normalized();
  }
  for (Vec3& normal : normals) normal.normalize();
  return normals;
}

}  // namespace

StraightPaths::StraightPaths(const Topology& topology, const Points& positions)
    : topology_(topology),
      positions_(positions),
      normals_(vertex_normals(topology, positions)),
      planes_(topology.vertex_count()) {
  for (VertexId v : ids<VertexId>(topology.vertex_count()))
    if (topology.halfedge(v).valid() && !topology.is_border(v) && normals_[v].norm() > 0.5) add_plane(v);
}

void StraightPaths::add_plane(VertexId v) {
  Plane plane;
  plane.first_wedge = wedges_.size();
  double sum = 0;
  const HalfedgeId first = topology_.halfedge(v);
  HalfedgeId h = first;
  do {
    wedges_.push_back({h, sum});
    const HalfedgeId back = topology_.prev(h);
    const Vec3 u = positions_[topology_.to(h)] - positions_[v],
               w = positions_[topology_.from(back)] - positions_[v];
    sum += std::atan2(u.cross(w).norm(), u.dot(w));
    h = topology_.twin(back);
  } while (h != first);
  plane.wedge_count = wedges_.size() - plane.first_wedge;
  if (!(sum > 0)) return;
  plane.scale = sum / kFullTurn;
  plane.axes.col(0) = normals_[v].unitOrthogonal();
  plane.axes.col(1) = normals_[v].cross(plane.axes.col(0));
  // The mean turn between the edges in the plane and in space.
  Vec2 turn = Vec2::Zero();
  for (std::size_t i = plane.first_wedge; i < wedges_.size(); ++i) {
    wedges_[i].begin /= plane.scale;
    const Vec2 edge =
        plane.axes.transpose() * (positions_[topology_.to(wedges_[i].halfedge)] - positions_[v]);
    const double c = std::cos(wedges_[i].begin), s = std::sin(wedges_[i].begin);
    turn += Vec2(c * edge.x() + s * edge.y(), c * edge.y() - s * edge.x());
  }
  plane.first_angle = wrapped(std::atan2(turn.y(), turn.x()));
  planes_[v] = plane;
}

StraightPaths::End StraightPaths::walk(VertexId v, const Vec2& way) const {
  const Plane& plane = planes_[v];
  const double length = way.norm();
  if (!(length > 0)) return {corner(topology_.halfedge(v)), plane.axes};
  const double angle = wrapped(std::atan2(way.y(), way.x()) - plane.first_angle);
  const auto begin = wedges_.begin() + static_cast<std::ptrdiff_t>(plane.first_wedge);
  const auto wedge = std::upper_bound(begin, begin + static_cast<std::ptrdiff_t>(plane.wedge_count), angle,
                                      [](double a, const Wedge& w) { return a < w.begin; }) -
                     1;
  const HalfedgeId h = wedge->halfedge;
  const Vec3 side = positions_[topology_.to(h)] - positions_[v];
  const Vec3 other = positions_[topology_.from(topology_.prev(h))] - positions_[v];
  const double side_length = side.norm();
  const Vec3 ahead = side / side_length;
  const double along = ahead.dot(other);
  const Vec3 height = other - along * ahead;
  const Vec3 across = height.normalized();
  const double turn = (angle - wedge->begin) * plane.scale;
  const Vec2 in_face = length * Vec2(std::cos(turn), std::sin(turn));
  const Vec3 direction = in_face.x() * ahead + in_face.y() * across;
  // Most paths end in the triangle that they begin in.
  const double to_other = in_face.y() / across.dot(other),
               to_side = (in_face.x() - to_other * along) / side_length;
  if (to_other >= 0 && to_side >= 0 && to_other + to_side <= 1) {
    SurfacePoint end = corner(h);
    const int k = end.barycentric[0] == 1 ? 0 : end.barycentric[1] == 1 ? 1 : 2;
    end.barycentric[k] = 1 - to_other - to_side;
    end.barycentric[(k + 1) % 3] = to_side;
    end.barycentric[(k + 2) % 3] = to_other;
    return {end, carried(end, direction, way)};
  }
  const TraceResult to = trace(topology_, positions_, corner(h), direction);
  return {to.end, carried(to.end, to.direction, way)};
}

SurfacePoint StraightPaths::corner(HalfedgeId h) const {
  const FaceId face = topology_.face(h);
  return {face, Vec3::Unit(static_cast<int>(h.index() - topology_.halfedge(face).index()))};
}

/// The axes in which a path is `way`, where it has come to go in `direction`.
Mat32 StraightPaths::carried(const SurfacePoint& at, const Vec3& direction, const Vec2& way) const {
  const std::size_t first = topology_.halfedge(at.face).index();
  Vec3 normal = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k)
    normal += at.barycentric[static_cast<Eigen::Index>(k)] * normals_[topology_.from(HalfedgeId(first + k))];
  const Vec3 left = normal.cross(direction).normalized(), ahead = left.cross(normal).normalized();
  const Vec2 unit = way.normalized();
  return ahead * unit.transpose() + left * Vec2(-unit.y(), unit.x()).transpose();
}

}  // namespace cutis
