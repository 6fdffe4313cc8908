#pragma once

#include "cutis/skin/eulerian/eulerian_options.h"
#include "cutis/skin/eulerian/vertex_rings.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Carries what belongs to the skin along while the mesh stays on the body (Thin Skin Elastodynamics, Eqs. 8
/// and 9): after skin has moved over the body by a displacement, each vertex has what was one displacement
/// upstream.
///
/// What is upstream is read off a quadratic polynomial in the tangent plane of the vertex, which goes through
/// its own value and comes closest to those within two rings. Schemes that correct an interpolation by going
/// there and back (MacCormack, BFECC) are not stable where the two ways lead through triangles of different
/// shape: waves that go around a torus grow without bound. Upstream is looked for in the triangles around a
/// vertex; longer ways are gone in pieces.
class SkinAdvection {
 public:
  using Vectors = IdVector<VertexId, Vec3>;

  /// The rings must outlive it.
  SkinAdvection(const VertexRings& rings, Advection scheme) : rings_(rings), scheme_(scheme) {}

  /// How far the skin at each vertex moves over the body, along it [m].
  void set_displacement(const Vectors& displacement, const RingedSurface& body);
  /// Whether nothing moves.
  bool still() const { return pieces_ == 0; }

  /// A number, vector or matrix on vertices, within the values around.
  template <class T>
  IdVector<VertexId, T> operator()(IdVector<VertexId, T> values) const;
  /// The points of the skin that are at the vertices. `at_rest` is the surface of the skin.
  SkinPoints operator()(SkinPoints points, const SlideSurface& at_rest) const;

 private:
  const VertexRings& rings_;
  Advection scheme_;
  int pieces_ = 0;
  /// What is upstream by one piece of the way: the value at the vertex, and these shares of what the values
  /// of its rings().near() differ by from it. All zero where nothing moves.
  std::vector<double> weights_;

  void set_weights(VertexId v, const Vec2& way, const RingedSurface& body);
  SkinPoints piece(const SkinPoints& points, const SlideSurface& at_rest) const;
};

}  // namespace cutis
