#include "cutis/material/membrane/viscous.h"

#include <algorithm>
#include <cmath>

#include "cutis/surface/mesh/deformation.h"

namespace cutis {
namespace {

/// A symmetric 2x2 matrix without its negative eigenvalues.
Mat2 clamped(const Mat2& S) {
  const double mean = S.trace() / 2;
  const Mat2 deviator = S - mean * Mat2::Identity();
  const double radius = std::hypot(deviator(0, 0), deviator(0, 1));
  if (mean - radius >= 0) return S;
  if (mean + radius <= 0) return Mat2::Zero();
  return (mean + radius) / (2 * radius) * (radius * Mat2::Identity() + deviator);
}

}  // namespace

double Viscous::energy(const Mat32& F, const Mat2& before) const {
  return viscosity / (2 * dt) * (green_strain(F) - before).squaredNorm();
}

MembraneResponse Viscous::evaluate(const Mat32& F, const Mat2& before, double projected_share) const {
  const double modulus = viscosity / dt;
  const Mat2 step = green_strain(F) - before;
  const Mat2 S = modulus * step;
  MembraneResponse r;
  r.energy = modulus / 2 * step.squaredNorm();
  r.stress = F * S;
  // H = S ⊗ I + modulus (dE/dF)ᵀ dE/dF; block (i, j) of the second is (δij F Fᵀ + f_j f_iᵀ) / 2.
  const Mat2 geometric = S + projected_share * (clamped(S) - S);
  const Mat3 square = F * F.transpose();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      Mat3 block = geometric(i, j) * Mat3::Identity() + modulus / 2 * F.col(j) * F.col(i).transpose();
      if (i == j) block += modulus / 2 * square;
      r.hessian.block<3, 3>(3 * i, 3 * j) = block;
    }
  return r;
}

MembraneResponse Viscoelastic::evaluate(const Mat32& F, double projected_share, double compression) const {
  MembraneResponse sum = elastic_.evaluate(F, projected_share, compression);
  const MembraneResponse rate = viscous_.evaluate(F, before_, projected_share);
  sum.energy += rate.energy;
  sum.stress += rate.stress;
  sum.hessian += rate.hessian;
  return sum;
}

}  // namespace cutis
