#pragma once

#include <memory>

#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Where the skin's own vertices are, when what is known is which points of the skin are at the vertices of
/// the body.
///
/// Points are on the smooth surface, whose faces have another shape than the mesh's: next to each other, one
/// may be drawn out and the other not. So what is between vertices is found on the flat triangles through
/// the vertices as they lie on the smooth surface, which are what the method's deformation gradient sees, and
/// points are taken there and back along normals.
class SkinInverse {
 public:
  /// The surface, at rest and without offsets, must outlive it.
  explicit SkinInverse(const SlideSurface& surface);

  /// For each vertex of the skin, where it is on the body. `points`: of the skin, at the body's vertices.
  /// `guess`: an earlier answer, or empty. A vertex that is not found gets the place nearest to it, with a
  /// warning.
  SkinPoints operator()(const SkinPoints& points, const SkinPoints& guess) const;

  /// The flat triangles, and points there and back.
  const Surface& flat() const { return *flat_; }
  SurfacePoint to_flat(const SurfacePoint& p) const;
  SurfacePoint to_smooth(const SurfacePoint& p) const;

 private:
  const SlideSurface& surface_;
  std::shared_ptr<const Surface> flat_;
};

}  // namespace cutis
