#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A third of the area of the triangles around each vertex [m²].
IdVector<VertexId, double> vertex_areas(const Mesh& triangles);

}  // namespace cutis
