#pragma once

#include <span>
#include <vector>

#include "cutis/core/id.h"
#include "cutis/core/types.h"

namespace cutis {

using Points = IdVector<VertexId, Vec3>;
using SourcePoints = IdVector<SourceVertexId, Vec3>;

/// Polygons over vertices of one kind, with texture coordinates at the corners. Plain data: the face at
/// position f has the corners face_offsets[f] .. face_offsets[f + 1], counter-clockwise seen from outside.
template <class V>
struct PolygonMesh {
  IdVector<V, Vec3> positions;             ///< at rest [m]
  std::vector<std::int32_t> face_offsets;  ///< faces + 1 entries, or empty when there are no faces
  IdVector<CornerId, V> corners;
  IdVector<CornerId, Vec2>
      uvs;  ///< one per corner, v upwards (0 = bottom of the image); empty when there are none

  std::size_t vertex_count() const { return positions.size(); }
  std::size_t face_count() const { return face_offsets.empty() ? 0 : face_offsets.size() - 1; }
  std::size_t corner_count() const { return corners.size(); }
  bool has_uvs() const { return !uvs.empty(); }

  CornerId first_corner(FaceId f) const { return CornerId(face_offsets[f.index()]); }
  std::size_t face_size(FaceId f) const {
    return static_cast<std::size_t>(face_offsets[f.index() + 1] - face_offsets[f.index()]);
  }
  std::span<const V> face(FaceId f) const { return {corners.data() + face_offsets[f.index()], face_size(f)}; }
  void add_face(std::span<const V> vertices) {
    if (face_offsets.empty()) face_offsets.push_back(0);
    for (V v : vertices) corners.push_back(v);
    face_offsets.push_back(static_cast<std::int32_t>(corners.size()));
  }
};

using Mesh = PolygonMesh<VertexId>;              ///< welded: what is simulated
using SourceMesh = PolygonMesh<SourceVertexId>;  ///< as the file has it: what is written back

/// Length of the diagonal of the bounding box: the "size" that figures are measured by.
double bounding_diagonal(std::span<const Vec3> points);

}  // namespace cutis
