#pragma once

#include "cutis/wrinkle/layer/layer_shell.h"

namespace cutis {

/// The layer's own mesh as it is now, with these fields at its vertices:
/// - rest: x, y and z at rest [m]
/// - height: over where the layer would lie if it did not wrinkle, along the carrier's normal [m]
/// - slope: angle of its normal against the carrier's [rad]
/// - tensile_strain, compressive_strain: of its triangles, averaged by area (surface/mesh/deformation.h)
/// - wavelength, thickness, young: what the layer is made of there [m], [m], [Pa]
/// - wavelength_along: of waves that run along its fibres [m], where it has some
/// - constraint: number of the nearest constraint, from 0; -1 where none can be reached
/// - support: sum of the constraint functions, each scaled to the same peak; its largest value is 1
LayerMesh layer_mesh(const LayerShell& layer, std::string name);

}  // namespace cutis
