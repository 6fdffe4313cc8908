#pragma once

#include <array>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A triangle cut from a polygon: its corners are corners of the polygon mesh.
struct TriangleCorners {
  FaceId face;  ///< the polygon it was cut from
  std::array<CornerId, 3> corners;
};

/// Cuts polygons into triangles by ear clipping in the polygon's mean plane at the given positions (quads
/// along the diagonal that makes the better triangles), so that concave polygons come out right. Faces of
/// fewer than three corners have no triangles. The cut is decided once, at rest.
template <class V>
std::vector<TriangleCorners> triangulate(const PolygonMesh<V>& mesh);

}  // namespace cutis
