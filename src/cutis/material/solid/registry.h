#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/material/solid/solid_material.h"

namespace cutis {

/// A solid with constants to try it with: what every test and benchmark of solids runs over. A new law is
/// tested by standing here.
struct SolidSample {
  std::string name;
  std::shared_ptr<const SolidMaterial> material;
  double scale = 0;  ///< a stiffness to measure errors against [Pa]
  double young = 0;  ///< of the tangent at rest [Pa]; 0 for a part that has no stiffness there
  double poisson = 0;
  double narrowest = 1;         ///< width of its narrowest ramp, in the stretch; 1 without ramps
  bool smooth_inverted = true;  ///< has no ridge where an inverted element has s2 = -s3
};

std::vector<SolidSample> solid_samples();

}  // namespace cutis
