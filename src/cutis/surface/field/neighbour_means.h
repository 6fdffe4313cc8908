#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// At each vertex the mean of the value there and at its neighbours. Each face brings half of each of its
/// edges, so that an edge between two faces counts once; this works on any mesh, also where it is no surface.
IdVector<VertexId, double> neighbour_means(const Mesh& mesh, const IdVector<VertexId, double>& values);

}  // namespace cutis
