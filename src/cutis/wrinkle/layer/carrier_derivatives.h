#pragma once

#include <vector>

#include "cutis/wrinkle/constraint/constraint_functions.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {

/// How the means of carried_by(mesh, positions, places, heights) over constraints change with the vertices of
/// the mesh: a carrier turns with it. Of the normals, the weights of the faces around a vertex count as
/// fixed.
std::vector<ConstraintRow> carrier_derivatives(const Mesh& mesh, const Points& positions,
                                               const IdVector<VertexId, SurfacePoint>& places,
                                               const IdVector<VertexId, double>& heights,
                                               const std::vector<ConstraintFunction>& constraints);

}  // namespace cutis
