#pragma once

#include <vector>

#include "cutis/energy/membrane_energy.h"
#include "cutis/skin/skin_options.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// The skin at rest, one entry per triangle of the body. Triangles without area carry nothing.
struct SkinElements {
  std::vector<MembraneElement> elements;
  std::vector<MembraneElement> relaxed;  ///< the same without pre-stretch
  std::vector<Mat2> prestretch;          ///< G in the axes of rest_triangle(): elastic F = F G
  std::vector<double> thickness;         ///< without stress [m]
};

/// Throws InputError when an array of the options has the wrong size or a value out of range.
SkinElements skin_elements(const Surface& rest, const SkinOptions& options);

}  // namespace cutis
