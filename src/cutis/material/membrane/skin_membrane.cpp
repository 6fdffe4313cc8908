#include "cutis/material/membrane/skin_membrane.h"

#include <cmath>

namespace cutis {

double SkinMembrane::energy(const Mat32& F) const {
  // The stretches without their directions: a² is the larger eigenvalue of FᵀF, and a b = J. Where both are
  // close to one, the root of (a - b)² = |F|² - 2 J would lose half of their digits.
  const double first = F.col(0).squaredNorm(), second = F.col(1).squaredNorm();
  const double half = (first - second) / 2, mixed = F.col(0).dot(F.col(1));
  const double a = std::sqrt((first + second) / 2 + std::sqrt(half * half + mixed * mixed));
  const double b = a > 0 ? F.col(0).cross(F.col(1)).norm() / a : 0;
  double total = 0;
  if (const auto* fung = std::get_if<FungLaw>(&parts_.ground)) total += fung->energy(a, b);
  if (const auto* st = std::get_if<StVenantKirchhoffLaw>(&parts_.ground)) total += st->energy(a, b);
  if (const auto* neo = std::get_if<NeoHookeanLaw>(&parts_.ground)) total += neo->energy(a, b);
  if (parts_.stiff_phase) total += parts_.stiff_phase->energy(a, b);
  for (const std::optional<Fibre>& fibre : parts_.fibres)
    if (fibre) total += fibre->energy(F);
  return total;
}

/// All parts but the fibres.
StretchJet SkinMembrane::isotropic(double a, double b) const {
  StretchJet jet;
  if (const auto* fung = std::get_if<FungLaw>(&parts_.ground)) jet += fung->jet(a, b);
  if (const auto* st = std::get_if<StVenantKirchhoffLaw>(&parts_.ground)) jet += st->jet(a, b);
  if (const auto* neo = std::get_if<NeoHookeanLaw>(&parts_.ground)) jet += neo->jet(a, b);
  if (parts_.stiff_phase) jet += parts_.stiff_phase->jet(a, b);
  return jet;
}

MembraneStress SkinMembrane::stress(const Mat32& F) const {
  MembraneStress stress;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic_stress(frame, isotropic(frame.a, frame.b), stress);
  for (const std::optional<Fibre>& fibre : parts_.fibres)
    if (fibre) fibre->add_stress(F, stress);
  return stress;
}

MembraneResponse SkinMembrane::evaluate(const Mat32& F, HessianKind kind) const {
  MembraneResponse response;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic(frame, isotropic(frame.a, frame.b), kind, response);
  for (const std::optional<Fibre>& fibre : parts_.fibres)
    if (fibre) fibre->add(F, response);
  return response;
}

}  // namespace cutis
