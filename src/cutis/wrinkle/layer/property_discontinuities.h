#pragma once

#include <functional>
#include <vector>

#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A mesh of triangles of which some edges lie where a property jumps.
struct CutMesh {
  Mesh mesh;  ///< the vertices of the mesh that was cut come first
  std::vector<EdgePlace> discontinuities;
};

/// Cuts triangles along the lines at which a property jumps: where most of its change within half a
/// wavelength lies within a quarter of one, and is more than a factor of 1.5. What varies gradually has none,
/// nor has what varies so fast that it is even on average. `wavelength` is that of each vertex [m], of which
/// edges are not much more than an eighth; `log_property` is the logarithm of the property at a point of the
/// triangles, and is called from several threads at once.
CutMesh cut_at_discontinuities(const Mesh& triangles, const IdVector<VertexId, double>& wavelength,
                               const std::function<double(const Vec3&)>& log_property);

}  // namespace cutis
