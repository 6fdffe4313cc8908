#include "cutis/body/uv_layout.h"

#include <utility>

namespace cutis {

IdVector<CornerId, CornerId> welded_corners(const Body& body) {
  const SourceMesh& source = body.source();
  const Weld& weld = body.weld();
  IdVector<CornerId, CornerId> result(source.corner_count());
  for (FaceId f : ids<FaceId>(weld.mesh.face_count())) {
    const FaceId of = weld.source_face[f];
    for (std::size_t k = 0; k < source.face_size(of); ++k) {
      const CornerId c(source.first_corner(of).index() + k);
      for (std::size_t j = 0; j < weld.mesh.face_size(f); ++j) {
        const CornerId d(weld.mesh.first_corner(f).index() + j);
        if (weld.first(weld.mesh.corners[d]) == weld.vertex_of[source.corners[c]]) result[c] = d;
      }
    }
  }
  return result;
}

UvLayout::UvLayout(const Body& body)
    : polygons(body.mesh()), triangles(body.triangles()), surface(body.surface()) {}

UvLayout::UvLayout(const Body& body, const IdVector<CornerId, Vec2>& source_uvs) : UvLayout(body) {
  const IdVector<CornerId, CornerId> welded = welded_corners(body);
  for (CornerId c : ids<CornerId>(welded.size()))
    if (welded[c].valid()) polygons.uvs[welded[c]] = source_uvs[c];
  for (CornerId c : ids<CornerId>(triangles.corner.size()))
    triangles.mesh.uvs[c] = polygons.uvs[triangles.corner[c]];
  surface = std::make_shared<const Surface>(triangles.mesh);
}

IdVector<CornerId, Vec2> source_uvs(const Body& body, const IdVector<CornerId, Vec2>& triangle_uvs) {
  const TriangleMesh& triangles = body.triangles();
  IdVector<CornerId, Vec2> polygon_uvs = body.mesh().uvs, result = body.source().uvs;
  for (CornerId c : ids<CornerId>(triangle_uvs.size())) polygon_uvs[triangles.corner[c]] = triangle_uvs[c];
  const IdVector<CornerId, CornerId> welded = welded_corners(body);
  for (CornerId c : ids<CornerId>(welded.size()))
    if (welded[c].valid()) result[c] = polygon_uvs[welded[c]];
  return result;
}

}  // namespace cutis
