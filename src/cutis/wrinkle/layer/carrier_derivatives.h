#pragma once

#include <vector>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/remesh/vertex_transfer.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {

/// How means of carried_by(mesh, positions, places, heights) change with the vertices of the mesh: a carrier
/// turns with it. Of the normals, the weights of the faces around a vertex count as fixed.
std::vector<ConstraintRow> carrier_derivatives(const Mesh& mesh, const Points& positions,
                                               const IdVector<VertexId, SurfacePoint>& places,
                                               const IdVector<VertexId, double>& heights,
                                               const std::vector<VertexStencil>& means);

}  // namespace cutis
