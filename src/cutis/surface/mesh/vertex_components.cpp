#include "cutis/surface/mesh/vertex_components.h"

#include "cutis/core/disjoint_sets.h"

namespace cutis {

std::vector<std::vector<VertexId>> vertex_components(const Mesh& mesh) {
  DisjointSets sets(mesh.vertex_count());
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f)) sets.join(mesh.face(f)[0].index(), v.index());
  std::vector<int> number;
  std::vector<std::vector<VertexId>> components(static_cast<std::size_t>(sets.numbered(number)));
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) components[number[v.index()]].push_back(v);
  return components;
}

}  // namespace cutis
