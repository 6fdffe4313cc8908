#pragma once

#include <array>
#include <memory>
#include <optional>

#include "cutis/surface/limit_surface.h"
#include "cutis/surface/surface.h"

namespace cutis {

/// What skin sees of the body at its place: a tangent plane with normal coordinates q [m], in which
/// x(q) = position + tangent q + normal (qᵀ curvature q) / 2 to second order, along straight paths over the
/// body.
struct SkinJet {
  Vec3 position = Vec3::Zero();
  Mat32 tangent = Mat32::Zero();       ///< orthonormal columns
  Vec3 normal = Vec3::Zero();          ///< unit, outwards
  Mat2 curvature = Mat2::Zero();       ///< second fundamental form [1/m]; negative where the body bulges
  Mat2 to_barycentric = Mat2::Zero();  ///< q to first changes of (b1, b2) [1/m]; zero where there is no area
  std::array<Vec2, 3> christoffel = {};  ///< tangent parts of x_11, x_12, x_22 in the basis of `tangent` [m]
};

/// The surface that skin slides over: smooth, through the body's vertices, at one moment.
///
/// The limit surface of the body's mesh lies inside it. So the control vertices are first moved out until it
/// passes (nearly) through the body's vertices: C <- C + (X - S_C), twice, which leaves a part of fourth
/// order in the edge length. Noise is not amplified: an error of the amplitude a at a frequency that the
/// limit surface damps by s comes back as (1 - (1 - s)³) a.
class SkinSurface {
 public:
  /// `surface` is that of triangulated(mesh). Throws InputError as LimitSurface does.
  SkinSurface(const Mesh& mesh, std::shared_ptr<const Surface> surface);

  void update(const Points& positions);
  /// Where the surface passes the vertices: their positions up to the part of fourth order.
  const Points& at_vertices() const { return at_vertices_; }
  const Surface& rest() const { return *surface_; }

  SkinJet evaluate(const SurfacePoint& p) const;
  /// Walks straight on from p by q in the tangent plane of `jet` (that of p): a geodesic to second order,
  /// across triangles. At a border it goes on along it with what is left of the way along it.
  SurfacePoint walk(const SurfacePoint& p, const SkinJet& jet, const Vec2& q) const;
  /// When p lies on the border and `direction` (in the tangent plane) leads out of the surface: the unit
  /// direction along the border that comes closest, zero when none does. Nothing when the way is open.
  std::optional<Vec2> blocked(const SurfacePoint& p, const SkinJet& jet, const Vec2& direction) const;
  /// The corner of a triangle that is this vertex; an invalid face when it has none.
  SurfacePoint home(VertexId v) const { return limit_.point_of(v); }

 private:
  std::shared_ptr<const Surface> surface_;
  LimitSurface limit_;
  Points at_vertices_;
};

}  // namespace cutis
