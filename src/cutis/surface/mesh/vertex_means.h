#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// At each vertex the mean over the faces around it of what they have, weighted: sum(f) is the value of a
/// face times its weight, weight(f). `zero` where there is no weight.
template <class T, class Sum, class Weight>
IdVector<VertexId, T> vertex_means(const Mesh& mesh, const T& zero, const Sum& sum, const Weight& weight) {
  IdVector<VertexId, T> means(mesh.vertex_count(), zero);
  IdVector<VertexId, double> weights(mesh.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f)) {
      means[v] += sum(f);
      weights[v] += weight(f);
    }
  for (VertexId v : ids<VertexId>(means.size()))
    if (weights[v] > 0) means[v] /= weights[v];
  return means;
}

}  // namespace cutis
