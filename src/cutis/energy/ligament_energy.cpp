#include "cutis/energy/ligament_energy.h"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/material/membrane/capped_exp.h"

namespace cutis {
namespace {

/// The exponent m3 (l² - limit²) from which on the exponential goes on as its quadratic extension. Newton's
/// method takes one step for each unit of an exponential's exponent, so a start far beyond the limit would
/// take hundreds; on the parabola it takes a few. No equilibrium of skin lies beyond 10.
constexpr double kMaxExponent = 10;

void check(const char* what, double value, bool zero_too) {
  if (!std::isfinite(value) || value < 0 || (value == 0 && !zero_too))
    throw InputError(fmt::format("ligament {}: {} is not {} number", what, value,
                                 zero_too ? "zero or a positive" : "a positive"));
}

}  // namespace

LigamentLaw ligament_law_from_centimetres(double m1, double m2, double m3) {
  constexpr double per_square_metre = 1e4;  // cm² in a m²
  return {m1 * per_square_metre, m2, m3 * per_square_metre};
}

LigamentEnergy::LigamentEnergy(std::vector<Ligament> ligaments, const LigamentLaw& law)
    : ligaments_(std::move(ligaments)), law_(law) {
  check("stiffness", law.stiffness, true);
  check("strength", law.strength, true);
  check("sharpness", law.sharpness, true);
  check("reference", law.reference, true);
  for (const Ligament& ligament : ligaments_) {
    check("area", ligament.area, true);
    check("limit", ligament.limit, false);
  }
}

ScalarJet LigamentEnergy::density(std::size_t i, double squared_length) const {
  const double limit = ligaments_[i].limit;
  const double share = law_.reference > 0 ? law_.reference / limit : 1;
  const double m3 = law_.sharpness * share * share;
  const ScalarJet e = capped_exp(m3 * (squared_length - limit * limit), kMaxExponent);
  return {law_.stiffness * squared_length + law_.strength * e.value,
          law_.stiffness + law_.strength * m3 * e.first, law_.strength * m3 * m3 * e.second};
}

double LigamentEnergy::energy(std::size_t i, const Vec3& position, const Vec3& attachment) const {
  return ligaments_[i].area * density(i, (position - attachment).squaredNorm()).value;
}

EnergyJet<1> LigamentEnergy::evaluate(std::size_t i, const Vec3& position, const Vec3& attachment) const {
  const Vec3 d = position - attachment;
  const ScalarJet w = density(i, d.squaredNorm());
  const double area = ligaments_[i].area;
  EnergyJet<1> jet;
  jet.energy = area * w.value;
  jet.gradient = (2 * area * w.first) * d;
  // 2 w' I + 4 w'' d dᵀ: a sum of two parts that are positive semi-definite
  jet.hessian = (4 * area * w.second) * d * d.transpose();
  jet.hessian.diagonal().array() += 2 * area * w.first;
  return jet;
}

double LigamentEnergy::energy(const Points& positions, const std::vector<Vec3>& attachments) const {
  assert(attachments.size() == ligaments_.size());
  std::vector<double> parts(ligaments_.size());
  parallel_for(parts.size(),
               [&](std::size_t i) { parts[i] = energy(i, positions[ligaments_[i].vertex], attachments[i]); });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

void LigamentEnergy::evaluate(const Points& positions, const std::vector<Vec3>& attachments,
                              std::vector<EnergyJet<1>>& jets) const {
  assert(attachments.size() == ligaments_.size());
  jets.resize(ligaments_.size());
  parallel_for(jets.size(), [&](std::size_t i) {
    jets[i] = evaluate(i, positions[ligaments_[i].vertex], attachments[i]);
  });
}

}  // namespace cutis
