#pragma once

#include "cutis/skin/eulerian/eulerian.h"
#include "skin/lagrangian/lagrangian_bodies.h"

namespace cutis::test {

constexpr double kYoung = 3e4, kPoisson = 0.3;  // of eulerian_options()

inline EulerianOptions eulerian_options(double stickiness, std::size_t vertices) {
  EulerianOptions out;
  out.material = simple_material(MaterialModel::StVenantKirchhoff, kYoung, kPoisson);
  out.stickiness.assign(vertices, stickiness);
  return out;
}

}  // namespace cutis::test
