#include "cutis/surface/geodesic/frames.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

Vec2 turned(const Vec2& v, double angle) { return Eigen::Rotation2Dd(angle) * v; }

/// Unit vector along v, or any one at right angles to `normal` when v has no length.
Vec3 unit_or_any(const Vec3& v, const Vec3& normal) {
  const double length = v.norm();
  return length > 1e-150 ? Vec3(v / length) : Vec3(normal.unitOrthogonal());
}

}  // namespace

TangentFrame halfedge_frame(const Topology& t, const Points& positions, HalfedgeId h) {
  const Vec3& a = positions[t.from(h)];
  const Vec3 ab = positions[t.to(h)] - a, ac = positions[t.from(t.prev(h))] - a;
  TangentFrame frame;
  frame.x = unit_or_any(ab, unit_or_any(ac, Vec3::UnitZ()));
  frame.y = unit_or_any(ac - ac.dot(frame.x) * frame.x, frame.x);
  // A sliver's height is mostly rounding: a second sweep makes the two orthogonal to the last bit.
  frame.y = unit_or_any(frame.y - frame.y.dot(frame.x) * frame.x, frame.x);
  frame.normal = frame.x.cross(frame.y);
  return frame;
}

TangentFrame face_frame(const Topology& t, const Points& positions, FaceId f) {
  return halfedge_frame(t, positions, t.halfedge(f));
}

double corner_angle(const Topology& t, const Points& positions, CornerId c) {
  const Vec3& a = positions[t.from(c)];
  const Vec3 u = positions[t.to(c)] - a, v = positions[t.from(t.prev(c))] - a;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

TangentFrames::TangentFrames(const Topology& triangles, const Points& positions)
    : topology_(&triangles),
      face_frames_(triangles.face_count()),
      vertex_frames_(triangles.vertex_count()),
      total_angle_(triangles.vertex_count(), 0.0),
      corner_angle_(triangles.corner_count()),
      vertex_angle_(triangles.halfedge_count(), 0.0),
      face_angle_(triangles.corner_count()) {
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const HalfedgeId h = triangles.halfedge(f);
    if (triangles.next(triangles.next(triangles.next(h))) != h)
      throw InputError(fmt::format("face {}: no triangle; tangent frames need a triangulated mesh", f.value));
  }
  parallel_for(triangles.face_count(), [&](std::size_t f) { measure_face(positions, FaceId(f)); });
  parallel_for(triangles.vertex_count(), [&](std::size_t v) { measure_vertex(positions, VertexId(v)); });
}

void TangentFrames::measure_face(const Points& positions, FaceId f) {
  face_frames_[f] = face_frame(*topology_, positions, f);
  const HalfedgeId a = topology_->halfedge(f), b = topology_->next(a), c = topology_->next(b);
  for (HalfedgeId h : {a, b, c}) corner_angle_[h] = corner_angle(*topology_, positions, h);
  // Each side turns left from the one before by the outer angle between them.
  face_angle_[a] = 0;
  face_angle_[b] = pi - corner_angle_[b];
  face_angle_[c] = pi + corner_angle_[a];
}

void TangentFrames::measure_vertex(const Points& positions, VertexId v) {
  const HalfedgeId first = topology_->halfedge(v);
  if (!first.valid()) return;
  Vec3 normal = Vec3::Zero();
  HalfedgeId h = first;
  do {
    total_angle_[v] += corner_angle_[h];
    normal += corner_angle_[h] * face_frames_[topology_->face(h)].normal;
    h = topology_->rotate(h);
  } while (h != first && !topology_->is_border(h));
  const bool border = topology_->is_border(h);
  const double scale = border || total_angle_[v] == 0 ? 1 : 2 * pi / total_angle_[v];
  double sum = 0;
  h = first;
  do {
    vertex_angle_[h] = scale * sum;
    sum += corner_angle_[h];
    h = topology_->rotate(h);
  } while (h != first && !topology_->is_border(h));
  if (border) vertex_angle_[h] = sum;

  TangentFrame& frame = vertex_frames_[v];
  frame.normal = unit_or_any(normal, Vec3::UnitX());
  Vec3 x = positions[topology_->to(first)] - positions[v];
  x -= x.dot(frame.normal) * frame.normal;
  x = unit_or_any(x, frame.normal);
  frame.x = unit_or_any(x - x.dot(frame.normal) * frame.normal, frame.normal);
  frame.y = frame.normal.cross(frame.x);
}

double TangentFrames::angle_defect(VertexId v) const {
  return (topology_->is_border(v) ? pi : 2 * pi) - total_angle_[v];
}

Vec2 TangentFrames::across(HalfedgeId h, const Vec2& v) const {
  return turned(v, face_angle_[topology_->twin(h)] + pi - face_angle_[h]);
}

Vec2 TangentFrames::along(HalfedgeId h, const Vec2& v) const {
  return turned(v, vertex_angle_[topology_->twin(h)] + pi - vertex_angle_[h]);
}

double TangentFrames::bisector_turn(CornerId c) const {
  const VertexId v = topology_->from(c);
  const double scale = topology_->is_border(v) || total_angle_[v] == 0 ? 1 : 2 * pi / total_angle_[v];
  return vertex_angle_[c] + 0.5 * scale * corner_angle_[c] - face_angle_[c] - 0.5 * corner_angle_[c];
}

Vec2 TangentFrames::to_vertex(CornerId c, const Vec2& v) const { return turned(v, bisector_turn(c)); }

Vec2 TangentFrames::to_face(CornerId c, const Vec2& v) const { return turned(v, -bisector_turn(c)); }

Vec2 TangentFrames::around(CornerId from, CornerId to, const Vec2& v) const {
  Vec2 carried = v;
  CornerId c = from;
  do {
    const HalfedgeId shared = topology_->prev(c);
    carried = across(shared, carried);
    c = topology_->twin(shared);
  } while (c != to);
  return carried;
}

}  // namespace cutis
