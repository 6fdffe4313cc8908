#include "cutis/measure/result_mesh.h"

#include <algorithm>
#include <utility>

#include "cutis/body/rig/joint_weights.h"
#include "cutis/surface/mesh/triangulate.h"

namespace cutis {
namespace {

/// Whether these are the weights of a joint, which the skeleton has got.
bool is_joint(const VertexAttribute& attribute, const std::optional<Skeleton>& skeleton) {
  if (!skeleton) return false;
  for (std::size_t j = 0; j < skeleton->joints.size(); ++j)
    if (skeleton->joints[j].name == attribute.name) return attribute.values == joint_weights(*skeleton, j);
  return false;
}

std::vector<VertexAttribute> painted_attributes(const Body& body, const std::optional<Skeleton>& skeleton) {
  std::vector<VertexAttribute> out;
  for (const std::string& name : body.attribute_names())
    if (std::optional<VertexAttribute> one = body.attribute(name); one && !is_joint(*one, skeleton))
      out.push_back(std::move(*one));
  return out;
}

}  // namespace

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
  m.attributes = painted_attributes(body, m.skeleton);
  m.materials = body.materials();
  m.parts = body.parts();
  return m;
}

}  // namespace cutis
