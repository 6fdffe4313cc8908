#pragma once

#include "cutis/surface/geodesic/geodesic_metric.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// The wavelength of a layer's wrinkles at each vertex of a fine mesh [m].
struct WavelengthField {
  IdVector<VertexId, double> across;  ///< of wrinkles whose waves run across the fibres, or any way
  /// Of those whose waves run along the fibres, and unit tangents along these; both empty: it has none.
  IdVector<VertexId, double> along;
  IdVector<VertexId, Vec3> fibres;

  double longest(VertexId v) const { return along.empty() ? across[v] : std::max(across[v], along[v]); }
  /// Of a square as wide as one wavelength each way [m²].
  double area(VertexId v) const { return across[v] * (along.empty() ? across[v] : along[v]); }
};

/// The mesh with lengths in wavelengths: what is one long each way, and in any direction, is the same.
GeodesicMetric metric_in_wavelengths(const Surface& fine, const WavelengthField& wavelength);

}  // namespace cutis
