#pragma once

#include <memory>
#include <vector>

#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Where the skin's own vertices are, when what is known is which points of the skin are at the vertices of
/// the body.
///
/// Points are on the smooth surface, whose faces have another shape than the mesh's: next to each other, one
/// may be drawn out and the other not. So what is between vertices is found on the flat triangles through
/// the vertices as they lie on the smooth surface, which are what the method's deformation gradient sees, and
/// points are taken there and back along normals. At tips that are narrower than their faces are long,
/// normals of vertices lie almost in the faces, and lines along them lead anywhere: there the displacement of
/// the skin is interpolated instead, as vectors that are carried over the smooth surface.
class SkinInverse {
 public:
  /// The surface, at rest and without offsets, must outlive it.
  explicit SkinInverse(const SlideSurface& surface);

  /// For each vertex of the skin, where it is on the body. `points`: of the skin, at the body's vertices.
  /// `guess`: an earlier answer, or empty. A vertex that is not found gets the place nearest to it; a
  /// warning names it.
  SkinPoints operator()(const SkinPoints& points, const SkinPoints& guess) const;

  /// The flat triangles, and points there and back.
  const Surface& flat() const { return *flat_; }
  SurfacePoint to_flat(const SurfacePoint& p) const;
  SurfacePoint to_smooth(const SurfacePoint& p) const;

 private:
  /// Where the skin at a place of the body comes from, by the displacements at the corners of its face.
  SurfacePoint displaced(const SurfacePoint& p, const SkinPoints& points) const;
  struct Found {
    SurfacePoint place;
    double left = 0;  ///< of the way to the vertex, from where the skin there comes from [m]
  };
  /// The place of the body that the skin of a vertex is displaced to; the first of the starts that leads
  /// there counts.
  Found find_displaced(VertexId v, const SkinPoints& points, const std::vector<SurfacePoint>& starts) const;
  Found search_displaced(VertexId v, const SkinPoints& points, const SurfacePoint& start) const;
  /// Home first; then the answer of the flat triangles, and the faces of two rings around.
  std::vector<SurfacePoint> starts(VertexId v, const SurfacePoint& answer) const;
  double near_enough() const;

  const SlideSurface& surface_;
  std::shared_ptr<const Surface> flat_;
};

}  // namespace cutis
