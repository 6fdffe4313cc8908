#pragma once

#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Two unit vectors at right angles in a tangent plane, and the third.
struct TangentFrame {
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), normal = Vec3::UnitZ();
  Vec2 components(const Vec3& v) const { return {v.dot(x), v.dot(y)}; }
  Vec3 vector(const Vec2& v) const { return v.x() * x + v.y() * y; }
};

/// Of the triangle that h belongs to: x along h, y into the face. Always orthonormal: where the face has no
/// area (or the edge no length) the free directions are chosen arbitrarily.
TangentFrame halfedge_frame(const Topology& triangles, const Points& positions, HalfedgeId h);
/// The one along the face's first half-edge.
TangentFrame face_frame(const Topology& triangles, const Points& positions, FaceId f);

/// The angle of a triangle at a corner, 0..pi [rad].
double corner_angle(const Topology& triangles, const Points& positions, CornerId c);

/// Tangent planes of a triangle mesh at one moment, and how vectors are carried between them (the discrete
/// Levi-Civita connection). A tangent vector is two components in the frame of its vertex or face.
///
/// At a vertex the angles of the half-edges that leave it are measured counter-clockwise from halfedge(v). At
/// an inner vertex they are scaled so that they sum to 2 pi; at a border vertex they are the true angles, so
/// that on a flat sheet carrying a vector does not change it.
/// Every carry is a rotation: lengths and angles between vectors are kept.
class TangentFrames {
 public:
  /// Keeps a reference to the topology, not to the positions. Throws InputError when a face is no triangle.
  TangentFrames(const Topology& triangles, const Points& positions);
  TangentFrames(Topology&&, const Points&) = delete;

  const TangentFrame& frame(FaceId f) const { return face_frames_[f]; }
  /// x along the projection of halfedge(v), normal by corner angles. The identity when v has no face.
  const TangentFrame& frame(VertexId v) const { return vertex_frames_[v]; }

  /// Sum of the true angles at v [rad].
  double total_angle(VertexId v) const { return total_angle_[v]; }
  /// 2 pi (border: pi) less the total angle [rad].
  double angle_defect(VertexId v) const;
  /// Direction of h in the frame of from(h) [rad], 0..2 pi; also for border half-edges.
  double vertex_angle(HalfedgeId h) const { return vertex_angle_[h]; }
  /// Direction of h in the frame of its face [rad]; h has a face.
  double face_angle(HalfedgeId h) const { return face_angle_[h]; }

  /// From face(h) to face(twin(h)) by unfolding over their edge. Both exist.
  Vec2 across(HalfedgeId h, const Vec2& v) const;
  /// From from(h) to to(h): the angle with the edge is kept.
  Vec2 along(HalfedgeId h, const Vec2& v) const;
  /// From the face of a corner to its vertex; the bisector of the corner keeps its direction, so that the
  /// scaling errs equally to both sides.
  Vec2 to_vertex(CornerId c, const Vec2& v) const;
  Vec2 to_face(CornerId c, const Vec2& v) const;  ///< the way back
  /// From the face of `from` to that of `to`, both corners of one vertex, counter-clockwise around it by
  /// unfolding; once around when they are the same. Faces lie all the way.
  Vec2 around(CornerId from, CornerId to, const Vec2& v) const;

 private:
  const Topology* topology_;
  IdVector<FaceId, TangentFrame> face_frames_;
  IdVector<VertexId, TangentFrame> vertex_frames_;
  IdVector<VertexId, double> total_angle_;
  IdVector<HalfedgeId, double> corner_angle_, vertex_angle_, face_angle_;

  void measure_face(const Points& positions, FaceId f);
  void measure_vertex(const Points& positions, VertexId v);
  double bisector_turn(CornerId c) const;
};

}  // namespace cutis
