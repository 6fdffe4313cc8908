#pragma once

#include <vector>

#include "cutis/surface/geodesic/geodesic_metric.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/remesh/vertex_transfer.h"

namespace cutis {

/// A constraint as a function on the surface: a truncated Gaussian around its centre (Li 2014, Eq. 4.3), over
/// geodesic distance, sampled at the vertices of a fixed fine mesh and normalised to one.
///
/// Layers are integrated over these samples, wherever their own vertices are. Li samples at the layers'
/// vertices instead and corrects the weights after each remeshing (Eqs. 4.4-4.8, which as printed spoil their
/// sum); here the mean of a layer depends on its shape alone: it does not jump when the layer is remeshed,
/// any affine motion of the lower layer is that of the upper one, no weight is negative, a triangle larger
/// than the constraint is held, too, and at a border the function's own middle takes the place of the centre.
struct ConstraintFunction {
  VertexId centre;  ///< all of the fine mesh
  VertexStencil samples;
};

/// Distances are measured by `in_wavelengths`, the metric of the fine mesh. `support`: how far each reaches
/// by that; of the Gaussian it is two standard deviations.
std::vector<ConstraintFunction> constraint_functions(const Mesh& fine, const GeodesicMetric& in_wavelengths,
                                                     const std::vector<VertexId>& centres, double support);

}  // namespace cutis
