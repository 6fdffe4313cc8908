#pragma once

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

/// A polygon mesh of which some faces are cut into smaller ones. It is the same surface: new vertices lie on
/// the triangles of the polygons.
struct LinearSubdivision {
  Mesh mesh;  ///< at rest; the vertices of the polygons come first, in their order
  /// Where each vertex lies on the triangles of the polygons; no valid face for a vertex that has none.
  IdVector<VertexId, SurfacePoint> places;
  IdVector<FaceId, FaceId> polygon;  ///< face -> the polygon it was cut from
};

/// Cuts every edge of the faces that are chosen into 2^level: triangles into triangles, quads into quads,
/// polygons of more corners as their triangles are. At an edge between a chosen face and another one, the
/// other gets the new vertices as corners: the mesh stays conforming and manifold. `triangles` is
/// triangulated(polygons), and Topology accepts the polygons; `chosen` has an entry for each of them.
LinearSubdivision subdivided(const Mesh& polygons, const TriangleMesh& triangles,
                             const IdVector<FaceId, char>& chosen, int level);

/// The longest edge of the faces that are chosen [m].
double longest_edge(const Mesh& polygons, const IdVector<FaceId, char>& chosen);
/// The level from which on none of their edges is longer than `edge` [m]; `most` where that would be higher.
int subdivision_level(const Mesh& polygons, const IdVector<FaceId, char>& chosen, double edge, int most);

/// How many vertices that has.
std::size_t subdivided_vertex_count(const Mesh& polygons, const IdVector<FaceId, char>& chosen, int level);

}  // namespace cutis
