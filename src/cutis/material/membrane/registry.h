#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/material/membrane/membrane_material.h"

namespace cutis {

/// A material with constants to try it with: what every test and benchmark of materials runs over. A new law
/// is tested by standing here.
struct MaterialSample {
  std::string name;
  std::shared_ptr<const MembraneMaterial> material;
  double scale = 0;  ///< a stiffness to measure errors against [Pa]
  double young = 0;  ///< of the tangent at rest [Pa]; 0 for a part that has no stiffness there
  double poisson = 0;
  double compression = 1;      ///< to be tried with
  bool isotropic = true;       ///< the same along all directions at rest
  bool clamps_exactly = true;  ///< Projected is Exact with its negative eigenvalues set to zero
};

std::vector<MaterialSample> material_samples();

}  // namespace cutis
