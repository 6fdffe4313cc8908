#pragma once

#include "cutis/skin/eulerian/eulerian_options.h"
#include "cutis/skin/eulerian/vertex_rings.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Carries what belongs to the skin along while the mesh stays on the body (Thin Skin Elastodynamics, Eqs. 8
/// and 9): after skin has moved over the body by a displacement, each vertex has what was one displacement
/// upstream.
///
/// Upstream is looked for in the triangles around a vertex; longer ways are gone in pieces. BFECC
/// (Kim et al. 2005) goes there and back, takes half of what is then missed away and goes there again, within
/// what there is in the triangle upstream. MacCormack's scheme, which adds the half without going again, is
/// not stable where the two ways lead through triangles of different shape.
class SkinAdvection {
 public:
  using Vectors = IdVector<VertexId, Vec3>;
  using Coordinates = std::vector<VertexRings::WedgeCoordinates>;

  /// The rings must outlive it.
  SkinAdvection(const VertexRings& rings, Advection scheme) : rings_(rings), scheme_(scheme) {}

  /// How far the skin at each vertex moves over the body, along it [m]; the body's frames and coordinates.
  void set_displacement(const Vectors& displacement, const IdVector<VertexId, TangentFrame>& frames,
                        const Coordinates& body);
  /// Whether nothing moves.
  bool still() const { return pieces_ == 0; }

  /// A vector or a number on vertices.
  template <class T>
  IdVector<VertexId, T> operator()(IdVector<VertexId, T> values) const;
  /// The points of the skin that are at the vertices. `at_rest` is the surface of the skin.
  SkinPoints operator()(SkinPoints points, const SlideSurface& at_rest) const;

 private:
  const VertexRings& rings_;
  Advection scheme_;
  int pieces_ = 0;
  std::vector<VertexRings::Place> upstream_, downstream_;  ///< of one piece

  struct Ways;
  Ways ways(const SkinPoints& points, const SlideSurface& at_rest,
            const std::vector<VertexRings::Place>& places) const;
  SkinPoints piece(const SkinPoints& points, const SlideSurface& at_rest) const;
};

}  // namespace cutis
