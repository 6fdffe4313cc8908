#pragma once

#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// The vertices of each connected component, rising; components by their first vertices. A vertex of no face
/// is a component of its own.
std::vector<std::vector<VertexId>> vertex_components(const Mesh& mesh);

}  // namespace cutis
