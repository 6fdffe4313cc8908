#pragma once

#include <vector>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// Some of the triangles of a body as a surface of its own, in a frame of its own that turns with the body
/// and with numbers that have no noise: whichever way the body stands, what is made on it is the same, also
/// where two choices are equally good.
struct RegionSurface {
  Surface surface;
  Mat3 turn;  ///< from there to the space of the body
  Vec3 origin;
  IdVector<FaceId, FaceId> face;  ///< of the body
  /// Sides of faces on the border of the region that are not on that of the body: what lies beyond holds
  /// them.
  IdVector<CornerId, char> cut;

  Vec3 in_space(const Vec3& x) const { return turn * x + origin; }
  SurfacePoint on_body(const SurfacePoint& place) const { return {face[place.face], place.barycentric}; }
};

/// Whether a place lies where the region was cut out of the body.
bool on_cut(const RegionSurface& region, const SurfacePoint& place);

/// `region`: which triangles; empty: all. Throws InputError when it has none.
RegionSurface region_surface(const Surface& body, const std::vector<char>& region);

}  // namespace cutis
