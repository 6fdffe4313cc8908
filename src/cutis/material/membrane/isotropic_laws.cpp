#include "cutis/material/membrane/isotropic_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/material/membrane/capped_exp.h"
#include "cutis/material/membrane/failure.h"
#include "cutis/material/membrane/plane_stress.h"

namespace cutis {
namespace {

/// Below this area ratio neo-Hookean skin goes on by its quadratic extension: finite where a triangle of the
/// body has collapsed. Skin is then twenty times as thick as at rest, under a pressure of 400 mu.
constexpr double kSmallestArea = 0.05;

/// The derivatives of W = f(I1) + g(J), I1 = a² + b² and J = a b: `pull` is 2 f', `press` g', `stiffen` 4 f''
/// and `bulk` g''. The energy is left to the caller.
StretchJet invariant_jet(double a, double b, double pull, double press, double stiffen, double bulk) {
  StretchJet j;
  j.da = pull * a + press * b;
  j.db = pull * b + press * a;
  j.daa = pull + bulk * b * b + stiffen * a * a;
  j.dbb = pull + bulk * a * a + stiffen * b * b;
  j.dab = press + (bulk + stiffen) * a * b;
  j.twist = pull + press;
  j.flip = pull - press;
  // The area has a ridge where b = 0: leaving the plane there is infinitely easy. The ratio is bounded so
  // that Exact stays finite; Projected drops it.
  const double ratio = a > 0 ? b / a : 1;
  j.lift_a = pull + press * ratio;
  j.lift_b = pull + press / std::max(ratio, 1e-12);
  return j;
}

/// 1/J² + 2J - 3, which has its minimum of 0 at J = 1, in a form that keeps its digits there.
ScalarJet inverse_square(double area) {
  if (area < kSmallestArea) return quadratic_extension(inverse_square(kSmallestArea), area - kSmallestArea);
  const double grown = area - 1, inverse = 1 / area, square = inverse * inverse;
  return {grown * grown * (3 + 2 * grown) * square, 2 - 2 * square * inverse, 6 * square * square};
}

}  // namespace

StVenantKirchhoffLaw::StVenantKirchhoffLaw(double young, double poisson)
    : lambda_(plane_stress(young, poisson).lambda), mu_(plane_stress(young, poisson).mu) {}

double StVenantKirchhoffLaw::energy(double a, double b) const {
  const double ea = (a * a - 1) / 2, eb = (b * b - 1) / 2;
  return lambda_ / 2 * (ea + eb) * (ea + eb) + mu_ * (ea * ea + eb * eb);
}

StretchJet StVenantKirchhoffLaw::jet(double a, double b) const {
  const double aa = a * a, bb = b * b, ab = a * b;
  const double pressure = lambda_ * (aa + bb - 2) / 2;
  StretchJet j;
  j.energy = energy(a, b);
  j.lift_a = pressure + mu_ * (aa - 1);
  j.lift_b = pressure + mu_ * (bb - 1);
  j.da = a * j.lift_a;
  j.db = b * j.lift_b;
  j.daa = j.lift_a + aa * (lambda_ + 2 * mu_);
  j.dbb = j.lift_b + bb * (lambda_ + 2 * mu_);
  j.dab = lambda_ * ab;
  // a (a² - 1) ± b (b² - 1) = (a ± b)(a² ∓ ab + b² - 1)
  j.twist = pressure + mu_ * (aa - ab + bb - 1);
  j.flip = pressure + mu_ * (aa + ab + bb - 1);
  return j;
}

double NeoHookeanLaw::energy(double a, double b) const {
  // a² + b² + 1/J² - 3 = (a - b)² + (1/J² + 2J - 3): two parts that are never negative.
  return mu_ / 2 * ((a - b) * (a - b) + inverse_square(a * b).value);
}

StretchJet NeoHookeanLaw::jet(double a, double b) const {
  const ScalarJet thickness = inverse_square(a * b);
  StretchJet j = invariant_jet(a, b, mu_, mu_ / 2 * (thickness.first - 2), 0, mu_ / 2 * thickness.second);
  j.energy = mu_ / 2 * ((a - b) * (a - b) + thickness.value);
  return j;
}

double FungLaw::largest_stiffness(double young, double poisson, double exponent) {
  if (!(exponent > 0)) return std::numeric_limits<double>::infinity();
  const PlaneStress rest = plane_stress(young, poisson);
  return std::min(2 * rest.mu / exponent, 2 * (rest.lambda + rest.mu) / (exponent * exponent));
}

FungLaw::FungLaw(double young, double poisson, double stiffness, double exponent)
    : alpha_(exponent > 0 ? stiffness : 0),
      beta_(exponent),
      failed_stiffness_(alpha_ > 0 ? 2 * failed_stiffness(young) / alpha_ : 0) {
  const double largest = largest_stiffness(young, poisson, exponent);
  if (stiffness > largest)
    throw InputError(fmt::format(
        "fung_stiffness = {:.6g} Pa with fung_exponent = {:.6g} is stiffer at rest than young = {:.6g} "
        "Pa and poisson = {:.6g} allow; at most {:.6g} Pa, or raise young",
        stiffness, exponent, young, poisson, largest));
  // W_aa - W_ab at rest is 2 mu + alpha beta, and W_ab is lambda - mu - alpha beta/2 + alpha beta²/2.
  const PlaneStress rest = plane_stress(young, poisson);
  mu_ = rest.mu - alpha_ * beta_ / 2;
  lambda_ = rest.lambda + rest.mu - alpha_ * beta_ * beta_ / 2;
  // W_a at rest is mu + alpha beta/2 + lambda (1 - k) = 0, so lambda (k - 1) = mu + alpha beta/2, which stays
  // finite where lambda = 0 and k is not.
  push_ = rest.mu;
}

/// By sqrt(I1) where skin has failed: a strip pulled so far with its width held.
ScalarJet FungLaw::exponential(double squares) const {
  constexpr double failure = kFailureStretch * kFailureStretch + 1;
  const double rate = beta_ / 2;
  if (squares <= failure) return capped_exp(rate * (squares - 2));
  const ScalarJet at = capped_exp(rate * (failure - 2));
  const ScalarJet jet = failed_extension({at.value, rate * at.first, rate * rate * at.second}, failure,
                                         squares, failed_stiffness_);
  return {jet.value, jet.first / rate, jet.second / (rate * rate)};
}

double FungLaw::energy(double a, double b) const {
  const double stretch = a * a + b * b - 2, area = a * b - 1;
  const double grown = alpha_ > 0 ? exponential(a * a + b * b).value - 1 : 0;
  // lambda/2 (J - k)² = lambda/2 (J - 1)² - lambda (k - 1)(J - 1) + its value at rest, which is left out.
  return mu_ / 2 * stretch + lambda_ / 2 * area * area - push_ * area + alpha_ / 2 * grown;
}

StretchJet FungLaw::jet(double a, double b) const {
  const double stretch = a * a + b * b - 2, area = a * b - 1;
  ScalarJet e;
  if (alpha_ > 0) e = exponential(a * a + b * b);
  const double pull = mu_ + alpha_ * beta_ / 2 * e.first;        // of a on a
  const double press = lambda_ * area - push_;                   // lambda (J - k): of b on a
  const double stiffen = alpha_ * beta_ * beta_ / 2 * e.second;  // of a on b
  StretchJet j = invariant_jet(a, b, pull, press, stiffen, lambda_);
  j.energy = mu_ / 2 * stretch + lambda_ / 2 * area * area - push_ * area;
  if (alpha_ > 0) j.energy += alpha_ / 2 * (e.value - 1);
  return j;
}

}  // namespace cutis
