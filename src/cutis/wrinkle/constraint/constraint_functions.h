#pragma once

#include <vector>

#include "cutis/surface/mesh/surface.h"

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
  VertexId centre;        ///< all of the fine mesh
  double wavelength = 0;  ///< there [m]
  std::vector<VertexId> vertices;
  std::vector<double> weights;  ///< sum to one
};

/// `support`: how far each reaches [wavelengths]. Of the Gaussian that is two standard deviations.
std::vector<ConstraintFunction> constraint_functions(const Surface& fine,
                                                     const std::vector<VertexId>& centres,
                                                     const IdVector<VertexId, double>& wavelength,
                                                     double support);

}  // namespace cutis
