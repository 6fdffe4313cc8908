#include "cutis/measure/result_mesh.h"

#include <algorithm>

#include "cutis/surface/mesh/triangulate.h"

namespace cutis {

std::size_t ResultMesh::welded_count() const {
  VertexId last;
  for (VertexId v : welded) last = std::max(last, v);
  return static_cast<std::size_t>(last.value + 1);
}

ResultMesh result_mesh(const Body& body) {
  const Weld& weld = body.weld();
  ResultMesh m{body.source(), weld.vertex_of, {}, {}, {}};
  for (const TriangleCorners& t : triangulate(weld.mesh)) {
    IndexTriangle triangle;
    for (int k = 0; k < 3; ++k) triangle[k] = weld.representative[weld.mesh.corners[t.corners[k]]].value;
    m.triangles.push_back(triangle);
    m.triangle_faces.push_back(weld.source_face[t.face].value);
  }
  m.skeleton = body.skeleton();
  return m;
}

}  // namespace cutis
