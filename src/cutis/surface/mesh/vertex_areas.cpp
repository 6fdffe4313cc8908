#include "cutis/surface/mesh/vertex_areas.h"

#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

IdVector<VertexId, double> vertex_areas(const Mesh& triangles) {
  const std::vector<double> areas = triangle_areas(triangles.positions.raw(), index_triangles(triangles));
  IdVector<VertexId, double> out(triangles.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(triangles.face_count()))
    for (VertexId v : triangles.face(f)) out[v] += areas[f.index()] / 3;
  return out;
}

}  // namespace cutis
