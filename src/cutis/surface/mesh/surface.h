#pragma once

#include <vector>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// A triangle surface at rest with what everything on it needs: neighbours and smooth normals. Built once,
/// shared, never changed.
class Surface {
 public:
  /// Throws InputError when a face is not a triangle or the mesh is not manifold.
  explicit Surface(Mesh triangles);

  const Mesh& mesh() const { return mesh_; }
  const Points& positions() const { return mesh_.positions; }
  const Topology& topology() const { return topology_; }
  /// Unit normals at the vertices, weighted by the angle of each face there; zero at a vertex with no face.
  const IdVector<VertexId, Vec3>& normals() const { return normals_; }
  /// Diagonal of the bounding box [m].
  double size() const { return size_; }

  Vec3 position(const SurfacePoint& p) const { return interpolate(mesh_, mesh_.positions, p); }
  /// The corner of some face that is this vertex. The vertex must have a face.
  SurfacePoint point(VertexId v) const;

 private:
  Mesh mesh_;
  Topology topology_;
  IdVector<VertexId, Vec3> normals_;
  double size_;
};

/// Vertices at open borders, rising.
std::vector<VertexId> border_vertices(const Surface& surface);

/// Unit normals at the vertices of a triangle mesh, weighted by angle, for any positions.
IdVector<VertexId, Vec3> angle_weighted_normals(const Mesh& triangles, const Points& positions);

}  // namespace cutis
