#include "cutis/surface/field/neighbour_means.h"

namespace cutis {

IdVector<VertexId, double> neighbour_means(const Mesh& mesh, const IdVector<VertexId, double>& values) {
  IdVector<VertexId, double> differences(values.size(), 0), weights(values.size(), 1);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const VertexId a = face[i], b = face[(i + 1) % face.size()];
      differences[a] += 0.5 * (values[b] - values[a]), weights[a] += 0.5;
      differences[b] += 0.5 * (values[a] - values[b]), weights[b] += 0.5;
    }
  }
  IdVector<VertexId, double> means = values;
  for (VertexId v : ids<VertexId>(values.size())) means[v] += differences[v] / weights[v];
  return means;
}

}  // namespace cutis
