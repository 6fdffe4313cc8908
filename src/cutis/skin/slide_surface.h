#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "cutis/body/body.h"
#include "cutis/skin/slides_on.h"
#include "cutis/surface/limit/limit_cage.h"
#include "cutis/surface/limit/limit_surface.h"
#include "cutis/surface/map/surface_map.h"

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

/// The surface that skin slides over, at one moment, for all methods: the body's own triangles, the limit
/// surface of its polygons, or the limit surface of a cage around it (LimitCage). The one place that turns
/// points on the body into positions, while a method runs and when a stored map is read back.
///
/// A smooth surface S passes each vertex of the body at a small distance, mostly along it. A vertex of the
/// skin keeps that offset where it goes: one that comes from v and lies at p is at x(v) + S(p) - S(v). So
/// nothing shrinks, and a vertex that has not moved is where plain skinning puts it, to the bit.
class SlideSurface {
 public:
  /// At rest. Throws InputError when the mesh has no limit surface (see LimitSurface). `faces` are the
  /// polygons of the body that it will be asked at; empty: all. A cage takes all.
  SlideSurface(const Body& body, SlidesOn on, const std::vector<FaceId>& faces = {});
  /// `triangles` is triangulated(mesh), `surface` their surface.
  SlideSurface(const Mesh& mesh, const TriangleMesh& triangles, std::shared_ptr<const Surface> surface,
               SlidesOn on, const std::vector<FaceId>& faces = {});

  /// Moves the surface to where the body's welded vertices are.
  void update(const Points& body);
  const Surface& rest() const { return *surface_; }
  /// Unit normals at the vertices of a smooth surface, blended over its patches: as smooth as the surface
  /// itself, while its own normals have kinks where patches meet. Of a cage only.
  LimitSurface blended_normals() const;

  SurfaceJet evaluate(const SurfacePoint& p) const;
  /// For many places of a smooth surface: first find() and fetch() of some, then evaluate() of these. A place
  /// holds for every copy of this surface.
  PatchLocation find(const SurfacePoint& p) const { return limit_->find(p); }
  void fetch(const PatchLocation& place) const { limit_->fetch(place); }
  SurfaceJet evaluate(const PatchLocation& place) const;
  /// On this surface and on a copy of it that was updated to other positions.
  std::pair<SurfaceJet, SurfaceJet> evaluate(const PatchLocation& place, const SlideSurface& other) const;

  /// Goes straight on from p by q in the tangent plane of `jet` (that of p): a geodesic, on a smooth surface
  /// to second order, across triangles. At a border it goes on along it with what is left of the way along
  /// it.
  SurfacePoint retract(const SurfacePoint& p, const SurfaceJet& jet, const Vec2& q) const;
  /// When p lies on the border and `direction` (in the tangent plane) leads out of the tangent cone of the
  /// surface there: the unit direction along the border that comes closest, zero when none does. Nothing when
  /// the direction is within the cone.
  std::optional<Vec2> tangent_cone_direction(const SurfacePoint& p, const SurfaceJet& jet,
                                             const Vec2& direction) const;

  /// The vertices as they lie on the surface itself, without their offsets from it.
  Points on_surface() const;
  /// The same where the body's welded vertices would be at `body`; the surface stays where it is. Of a cage
  /// only.
  Points on_surface(const Points& body) const;
  /// From now on vertices lie there. Of a cage only.
  void drop_offsets();

  /// The corner of a triangle that is this vertex; an invalid face when it has none.
  SurfacePoint home(VertexId v) const;
  /// Where vertex v of the skin is when it is at a place of a cage.
  Vec3 position(VertexId v, const SurfaceJet& jet) const { return jet.position + offsets_[v]; }
  /// Where vertex v of the skin is when it lies at `p`; a point with no face leaves it on the body.
  Vec3 position(VertexId v, const SurfacePoint& p) const;
  /// From where the body has the vertex to position(v, p): zero to the bit where p is v itself.
  Vec3 slide(VertexId v, const SurfacePoint& p) const;
  /// The same bits in half the time, with `on_surface` from on_surface().
  Vec3 slide(VertexId v, const SurfacePoint& p, const Points& on_surface) const;
  /// The skin in the source's own vertex order: `body`, the source's vertices now, each moved by its slide.
  /// `points` has one point per welded vertex. Runs in parallel, with the same bits at any number of threads.
  SourcePoints place(const SourcePoints& body, const Weld& weld, const SkinPoints& points) const;

 private:
  std::shared_ptr<const Surface> surface_;
  std::optional<LimitSurface> limit_;  ///< none on polygons
  std::optional<LimitCage> cage_;
  Points body_;     ///< welded vertices now
  Points offsets_;  ///< body_ - S at the vertices; of a cage only

  LimitJet derivatives(const SurfacePoint& p) const;
  Points control_points(const Points& body) const;
};

}  // namespace cutis
