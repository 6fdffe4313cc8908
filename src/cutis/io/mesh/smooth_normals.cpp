#include "cutis/io/mesh/smooth_normals.h"

namespace cutis {

IdVector<SourceVertexId, Vec3> smooth_normals(const Weld& weld, const SourcePoints& points) {
  IdVector<VertexId, Vec3> sums(weld.mesh.vertex_count(), Vec3::Zero());
  for (FaceId f : ids<FaceId>(weld.mesh.face_count())) {
    const auto face = weld.mesh.face(f);
    // Twice the area vector of the polygon (Newell).
    Vec3 area = Vec3::Zero();
    const Vec3& origin = points[weld.representative[face[0]]];
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      area += (points[weld.representative[face[i]]] - origin)
                  .cross(points[weld.representative[face[i + 1]]] - origin);
    for (VertexId v : face) sums[v] += area;
  }
  IdVector<SourceVertexId, Vec3> result(points.size());
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    result[v] = sums[weld.vertex_of[v]].stableNormalized();
  return result;
}

}  // namespace cutis
