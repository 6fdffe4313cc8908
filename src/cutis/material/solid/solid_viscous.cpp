#include "cutis/material/solid/solid_viscous.h"

#include "cutis/material/solid/symmetric_eigen.h"

namespace cutis {

Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

double SolidViscous::energy(const Mat3& F, const Mat3& before) const {
  return viscosity / (2 * dt) * (green_strain(F) - before).squaredNorm();
}

SolidResponse SolidViscous::evaluate(const Mat3& F, const Mat3& before, double projected_share) const {
  const double modulus = viscosity / dt;
  const Mat3 step = green_strain(F) - before;
  const Mat3 S = modulus * step;
  SolidResponse r;
  r.energy = modulus / 2 * step.squaredNorm();
  r.stress = F * S;
  // H = S ⊗ I + modulus (dE/dF)ᵀ dE/dF; block (i, j) of the second is modulus (δij F Fᵀ + f_j f_iᵀ) / 2.
  Mat3 geometric = S;
  if (projected_share > 0) geometric += projected_share * (positive_part(S) - S);
  const Mat3 square = modulus / 2 * F * F.transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Mat3 block = modulus / 2 * F.col(j) * F.col(i).transpose();
      block.diagonal().array() += geometric(i, j);
      if (i == j) block += square;
      r.hessian.block<3, 3>(3 * i, 3 * j) = block;
    }
  return r;
}

}  // namespace cutis
