#include "cutis/material/skin_membrane.h"

#include <algorithm>
#include <cmath>

namespace cutis {

double SkinMembrane::energy(const Mat32& F) const {
  // (a ± b)² = |F|² ± 2 J: the stretches without their directions.
  const double square = F.squaredNorm(), area = F.col(0).cross(F.col(1)).norm();
  const double sum = std::sqrt(square + 2 * area), difference = std::sqrt(std::max(square - 2 * area, 0.0));
  const double a = (sum + difference) / 2, b = a > 0 ? area / a : 0;
  double total = 0;
  if (const auto* fung = std::get_if<FungLaw>(&parts_.ground)) total += fung->energy(a, b);
  if (const auto* st = std::get_if<StVenantKirchhoffLaw>(&parts_.ground)) total += st->energy(a, b);
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
