#pragma once

#include "cutis/surface/mesh/weld.h"

namespace cutis {

/// Unit normals of the source's vertices, faces weighted by area, also across the seams that the weld closes;
/// zero where there is no area around.
IdVector<SourceVertexId, Vec3> smooth_normals(const Weld& weld, const SourcePoints& points);

}  // namespace cutis
