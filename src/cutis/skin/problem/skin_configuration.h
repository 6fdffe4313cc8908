#pragma once

#include <span>

#include "cutis/energy/term.h"
#include "cutis/skin/constraint/skin_constraints.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Where the skin lies on the body, and what each vertex sees of the body there.
struct SkinConfiguration : TermState {
  SkinPoints points;
  /// Of vertices with the role OnCurve; empty when there are none.
  IdVector<VertexId, CurveConstraint::Place> curve_places;
  IdVector<VertexId, SurfaceJet> jets;
  IdVector<VertexId, SurfaceJet> at_rest;  ///< of the same skin on the body at rest

  /// Takes over all that belongs to one vertex.
  void copy_vertex(VertexId v, const SkinConfiguration& from);
};

/// Puts skin on a body that holds still, and moves it over its surface.
class SkinKinematics {
 public:
  /// The references must outlive it; the surface is at rest now.
  SkinKinematics(const SlideSurface& surface, const SkinConstraints& constraints);

  /// The vertices of the body as it lies now; the surface has been updated.
  void set_body(const Points& body) { body_ = body; }
  const Points& body() const { return body_; }

  /// All vertices at these places.
  void place(SkinPoints points, SkinConfiguration& to) const;
  /// One vertex, by q in its tangent plane.
  void retract(VertexId v, const SkinConfiguration& from, const Vec2& q, SkinConfiguration& to) const;
  /// These vertices, by a factor of a step with two numbers for each.
  void retract(std::span<const VertexId> vertices, const SkinConfiguration& from, const Eigen::VectorXd& step,
               double factor, SkinConfiguration& to) const;

 private:
  const SlideSurface& surface_;
  const SkinConstraints& constraints_;
  SlideSurface at_rest_;
  Points body_;

  void update_vertices(std::span<const VertexId> batch, SkinConfiguration& to) const;
};

}  // namespace cutis
