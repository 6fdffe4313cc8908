#pragma once

#include <array>
#include <memory>
#include <optional>

#include "cutis/surface/limit/limit_cage.h"
#include "cutis/surface/limit/limit_surface.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

using SkinPoints = IdVector<VertexId, SurfacePoint>;

/// What skin sees of the body at its place: a tangent plane with normal coordinates q [m], in which
/// x(q) = position + tangent q + normal (qᵀ curvature q) / 2 to second order, along straight paths over the
/// body.
struct SurfaceJet {
  Vec3 position = Vec3::Zero();
  Mat32 tangent = Mat32::Zero();       ///< orthonormal columns
  Vec3 normal = Vec3::Zero();          ///< unit, outwards
  Mat2 curvature = Mat2::Zero();       ///< second fundamental form [1/m]; negative where the body bulges
  Mat2 to_barycentric = Mat2::Zero();  ///< q to first changes of (b1, b2) [1/m]; zero where there is no area
  std::array<Vec2, 3> christoffel = {};  ///< tangent parts of x_11, x_12, x_22 in the basis of `tangent` [m]
};

/// The surface that skin slides over, at one moment: the limit surface of a cage around the body (LimitCage).
///
/// The surface passes each vertex of the body at a small distance, mostly along it. A vertex of the skin
/// keeps that offset where it goes: at home it is where the body's vertex is.
class SkinSurface {
 public:
  /// `surface` is that of triangulated(mesh). Throws InputError as LimitSurface does.
  SkinSurface(const Mesh& mesh, std::shared_ptr<const Surface> surface);

  void update(const Points& positions);
  const Surface& rest() const { return *surface_; }
  /// Its unit normals at the vertices, blended over its patches: as smooth as the surface itself, while its
  /// own normals have kinks where patches meet.
  LimitSurface blended_normals() const;

  SurfaceJet evaluate(const SurfacePoint& p) const;
  /// For many places: first find() and fetch() of some, then evaluate() of these. A place holds for every
  /// copy of this surface.
  PatchLocation find(const SurfacePoint& p) const { return limit_.find(p); }
  void fetch(const PatchLocation& place) const { limit_.fetch(place); }
  /// On this surface and on a copy of it that was updated to other positions.
  std::array<SurfaceJet, 2> evaluate(const PatchLocation& place, const SkinSurface& other) const;
  /// Where vertex v of the skin is when it is at a place of the surface.
  Vec3 position(VertexId v, const SurfaceJet& jet) const { return jet.position + offsets_[v]; }
  /// Retracts q to the surface: straight on from p by q in the tangent plane of `jet` (that of p): a geodesic
  /// to second order, across triangles. At a border it goes on along it with what is left of the way along
  /// it.
  SurfacePoint retract(const SurfacePoint& p, const SurfaceJet& jet, const Vec2& q) const;
  /// When p lies on the border and `direction` (in the tangent plane) leads out of the surface: the unit
  /// direction along the border that comes closest, zero when none does. Nothing when the way is open.
  std::optional<Vec2> tangent_cone_direction(const SurfacePoint& p, const SurfaceJet& jet,
                                             const Vec2& direction) const;
  /// The corner of a triangle that is this vertex; an invalid face when it has none.
  SurfacePoint home(VertexId v) const { return limit_.point_of(v); }

 private:
  std::shared_ptr<const Surface> surface_;
  LimitSurface limit_;
  LimitCage cage_;
  Points offsets_;
};

}  // namespace cutis
