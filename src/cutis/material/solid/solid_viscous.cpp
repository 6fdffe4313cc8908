#include "cutis/material/solid/solid_viscous.h"

#include "cutis/material/solid/green_strain.h"

namespace cutis {

double SolidViscous::energy(const Mat3& F, const Mat3& before) const {
  return viscosity / (2 * dt) * (green_strain(F) - before).squaredNorm();
}

ViscousModes SolidViscous::evaluate(const Mat3& F, const Mat3& before) const {
  const double modulus = viscosity / dt;
  return {modulus * F * (green_strain(F) - before), F, F * F.transpose(), modulus};
}

}  // namespace cutis
