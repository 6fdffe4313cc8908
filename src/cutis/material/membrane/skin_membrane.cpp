#include "cutis/material/membrane/skin_membrane.h"

#include <algorithm>
#include <cmath>

namespace cutis {

namespace {

struct Stretches {
  double a = 1, b = 1;
};

/// The stretches without their directions: a² is the larger eigenvalue of FᵀF, and a b = J. Where both are
/// close to one, the root of (a - b)² = |F|² - 2 J would lose half of their digits.
Stretches stretches(const Mat32& F) {
  const double first = F.col(0).squaredNorm(), second = F.col(1).squaredNorm();
  const double half = (first - second) / 2, mixed = F.col(0).dot(F.col(1));
  const double a = std::sqrt((first + second) / 2 + std::sqrt(half * half + mixed * mixed));
  return {a, a > 0 ? F.col(0).cross(F.col(1)).norm() / a : 0};
}

StretchJet scaled(StretchJet jet, double factor) {
  for (double* part : {&jet.energy, &jet.da, &jet.db, &jet.daa, &jet.dab, &jet.dbb, &jet.twist, &jet.flip,
                       &jet.lift_a, &jet.lift_b})
    *part *= factor;
  return jet;
}

}  // namespace

SkinMembrane::SkinMembrane(const Parts& parts)
    : parts_(parts), wrinkling_([this](double a, double b) { return isotropic(a, b); }) {}

double SkinMembrane::isotropic_energy(double a, double b) const {
  double total = 0;
  if (const auto* fung = std::get_if<FungLaw>(&parts_.ground)) total += fung->energy(a, b);
  if (const auto* st = std::get_if<StVenantKirchhoffLaw>(&parts_.ground)) total += st->energy(a, b);
  if (const auto* neo = std::get_if<NeoHookeanLaw>(&parts_.ground)) total += neo->energy(a, b);
  if (parts_.stiff_phase) total += parts_.stiff_phase->energy(a, b);
  return total;
}

double SkinMembrane::energy(const Mat32& F, double compression) const {
  const auto [a, b] = stretches(F);
  double total = isotropic_energy(a, b);
  if (compression < 1) {
    if (const Wrinkling::State s = wrinkling_.state(a, b); !s.taut)
      total = compression * total +
              (1 - compression) * (isotropic_energy(s.a.value, s.b.value) + s.buckling.value);
  }
  for (const std::optional<Fibre>& fibre : parts_.fibres)
    if (fibre) total += fibre->energy(F);
  return total;
}

double SkinMembrane::slack(const Mat32& F) const {
  const auto [a, b] = stretches(F);
  const Wrinkling::State s = wrinkling_.state(a, b);
  return s.taut ? 0 : std::log(std::max(s.a.value / a, s.b.value / b));
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

StretchJet SkinMembrane::isotropic(double a, double b, double compression) const {
  if (compression < 1) {
    if (const Wrinkling::State s = wrinkling_.state(a, b); !s.taut) {
      StretchJet jet = scaled(isotropic(a, b), compression);
      const StretchJet relaxed = Wrinkling::jet(a, b, s, isotropic(s.a.value, s.b.value));
      return jet += scaled(relaxed, 1 - compression);
    }
  }
  return isotropic(a, b);
}

template <class Stress>
Stress SkinMembrane::stress_as(const Mat32& F, double compression) const {
  Stress stress;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic_stress(frame, isotropic(frame.a, frame.b, compression), stress);
  for (const std::optional<Fibre>& fibre : parts_.fibres)
    if (fibre) fibre->add_stress(F, stress);
  return stress;
}

MembraneStress SkinMembrane::stress(const Mat32& F, double compression) const {
  return stress_as<MembraneStress>(F, compression);
}

StiffStress SkinMembrane::stiff_stress(const Mat32& F, double compression) const {
  return stress_as<StiffStress>(F, compression);
}

MembraneResponse SkinMembrane::evaluate(const Mat32& F, double projected_share, double compression) const {
  MembraneResponse response;
  const StretchFrame frame = stretch_frame(F);
  add_isotropic(frame, isotropic(frame.a, frame.b, compression), projected_share, response);
  for (const std::optional<Fibre>& fibre : parts_.fibres)
    if (fibre) fibre->add(F, response);
  return response;
}

}  // namespace cutis
