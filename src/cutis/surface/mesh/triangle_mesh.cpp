#include "cutis/surface/mesh/triangle_mesh.h"

#include "cutis/surface/mesh/triangulate.h"

namespace cutis {

TriangleMesh triangulated(const Mesh& polygons) {
  TriangleMesh out;
  out.mesh.positions = polygons.positions;
  for (const TriangleCorners& triangle : triangulate(polygons)) {
    std::array<VertexId, 3> vertices;
    for (int k = 0; k < 3; ++k) {
      const CornerId c = triangle.corners[k];
      vertices[k] = polygons.corners[c];
      out.corner.push_back(c);
      if (polygons.has_uvs()) out.mesh.uvs.push_back(polygons.uvs[c]);
    }
    out.mesh.add_face(vertices);
    out.polygon.push_back(triangle.face);
  }
  return out;
}

}  // namespace cutis
