#include "cutis/material/membrane/fibre.h"

#include <algorithm>

#include "cutis/material/membrane/capped_exp.h"

namespace cutis {

ScalarJet Fibre::law(double s) const {
  if (!(s > 0)) return {};
  if (s > failure) return failed_extension(law(failure), 1 + failure, 1 + s, failed_stiffness);
  ScalarJet e;
  if (stiffness > 0) e = capped_exp(exponent * s);
  const double g = linear + stiffness * e.value;
  const double g1 = stiffness * exponent * e.first, g2 = stiffness * exponent * exponent * e.second;
  const double ss = s * s;
  return {ss * s * g, ss * (3 * g + s * g1), s * (6 * g + 6 * s * g1 + ss * g2)};
}

double Fibre::energy(const Mat32& F) const { return law((F * direction).squaredNorm() - 1).value; }

void Fibre::add_stress(const Mat32& F, MembraneStress& stress) const {
  const Vec3 f = F * direction;
  const ScalarJet w = law(f.squaredNorm() - 1);
  stress.energy += w.value;
  if (w.first != 0) stress.stress += (2 * w.first * f) * direction.transpose();
}

void Fibre::add_stress(const Mat32& F, StiffStress& stress) const {
  const Vec3 f = F * direction;
  const double square = f.squaredNorm();
  const ScalarJet w = law(square - 1);
  if (w.first == 0) return;
  stress.stress += (2 * w.first * f) * direction.transpose();
  // Of the Hessian of add(): it acts along f most.
  stress.stiffness += 2 * w.first + std::max(0.0, 4 * w.second * square);
}

void Fibre::add(const Mat32& F, MembraneResponse& response) const {
  const Vec3 f = F * direction;
  const ScalarJet w = law(f.squaredNorm() - 1);
  response.energy += w.value;
  if (w.first == 0) return;
  // P = 2 W' f dᵀ; H = (d dᵀ) ⊗ (2 W' I + 4 W'' f fᵀ), positive semi-definite, as W grows with the length
  // of f and is convex in it.
  response.stress += (2 * w.first * f) * direction.transpose();
  const Mat3 block = 2 * w.first * Mat3::Identity() + (4 * w.second * f) * f.transpose();
  const Mat3 off = direction.x() * direction.y() * block;
  response.hessian.topLeftCorner<3, 3>() += direction.x() * direction.x() * block;
  response.hessian.bottomRightCorner<3, 3>() += direction.y() * direction.y() * block;
  response.hessian.topRightCorner<3, 3>() += off;
  response.hessian.bottomLeftCorner<3, 3>() += off;
}

}  // namespace cutis
