#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A polygon mesh cut into triangles (see triangulate.h), with the way back. Vertices are the polygons' own;
/// surface points live on `mesh`.
struct TriangleMesh {
  Mesh mesh;                            ///< all triangles, UVs kept
  IdVector<FaceId, FaceId> polygon;     ///< triangle -> the polygon it was cut from
  IdVector<CornerId, CornerId> corner;  ///< corner of a triangle -> corner of the polygon mesh
};

TriangleMesh triangulated(const Mesh& polygons);

}  // namespace cutis
