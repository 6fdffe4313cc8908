#pragma once

#include <memory>
#include <vector>

#include "cutis/surface/mesh/diagnose.h"
#include "cutis/wrinkle/constraint/constraint_functions.h"
#include "cutis/wrinkle/constraint/wavelength_field.h"
#include "cutis/wrinkle/layer/region_surface.h"
#include "cutis/wrinkle/shell/shell_face.h"
#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// What is fixed of one layer: a fine mesh on the body at rest that resolves its wrinkles, what the layer is
/// made of there, and the constraints that tie it to what is below. Everything that varies over the layer is
/// given on this mesh; the layer's own mesh changes.
struct LayerSurface {
  std::shared_ptr<const Surface> fine;
  IdVector<VertexId, SurfacePoint> body;  ///< where its vertices lie on the triangles of the body
  WavelengthField wavelength;
  IdVector<VertexId, double> critical_strain;
  IdVector<VertexId, double> thickness;     ///< [m]
  IdVector<VertexId, double> height;        ///< over the body's surface: minus all layers above it [m]
  IdVector<VertexId, double> imperfection;  ///< height of the shape at rest over the ideal one [m]
  IdVector<VertexId, char> held;            ///< on the border of the region: follows the body
  std::vector<ShellFace> faces;             ///< properties, averaged over each triangle
  std::vector<EdgePlace> discontinuities;   ///< edges of the fine mesh at which the properties jump
  std::vector<ConstraintFunction> constraints;
  double shortest_wavelength = 0;  ///< [m]
  double longest_wavelength = 0;   ///< along fibres where there are some [m]

  /// Where a vertex at this place lies when the layer is at rest.
  Vec3 rest_position(const SurfacePoint& place) const;
};

/// What a layer stores at its critical strain: the energy in which equilibrium is measured [J].
double buckling_energy(const LayerSurface& layer);

/// Layer `k` on the region of a body.
LayerSurface layer_surface(const RegionSurface& region, const WrinkleOptions& options, std::size_t k);

}  // namespace cutis
