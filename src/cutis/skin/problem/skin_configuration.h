#pragma once

#include <optional>
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
  /// Of the same skin on the body at rest; empty where the surface stays at rest.
  IdVector<VertexId, SurfaceJet> at_rest;

  const IdVector<VertexId, SurfaceJet>& rest_jets() const { return at_rest.empty() ? jets : at_rest; }
  /// Takes over all that belongs to one vertex.
  void copy_vertex(VertexId v, const SkinConfiguration& from);
};

/// Whether the surface that skin lies on moves with the body or is that of the body at rest for good.
enum class SurfaceMotion { Moves, StaysAtRest };

/// Puts skin on a body that holds still, and moves it over its surface.
class SkinKinematics {
 public:
  /// The references must outlive it; the surface is at rest now.
  SkinKinematics(const SlideSurface& surface, const SkinConstraints& constraints, SurfaceMotion motion);

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
  std::optional<SlideSurface> at_rest_;  ///< of a surface that moves
  Points body_;

  void update_vertices(std::span<const VertexId> batch, SkinConfiguration& to) const;
};

}  // namespace cutis
