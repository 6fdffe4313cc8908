#include "cutis/material/membrane/biphasic.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

/// The function of t whose second derivative rises from 0 at t = 0 to 1 at t = width as 3x² - 2x³, x = t /
/// width.
ScalarJet ramp(double t, double width) {
  if (!(t > 0)) return {};
  if (t < width) {
    const double x = t / width, xx = x * x;
    return {width * width * xx * xx * (0.25 - 0.1 * x), width * xx * x * (1 - 0.5 * x), xx * (3 - 2 * x)};
  }
  const double over = t - width;
  return {0.15 * width * width + 0.5 * width * over + 0.5 * over * over, 0.5 * width + over, 1};
}

constexpr double kCollapsed = 1e-12;  ///< bounds stress over stretch where there is no stretch left

}  // namespace

double deformation_measure(std::span<const double> stretches) {
  double largest = 0;
  for (double s : stretches) largest = std::max(largest, std::abs(std::log(s)));
  return largest;
}

// The ramp runs in the stretch, between the stretches that |ln| maps to start and end: then w is a
// polynomial, convex at any stretch (a quadratic in ln s softens beyond s = e) and finite at collapse.
BiphasicRamp::BiphasicRamp(double stiffness, double start, double end)
    : stiffness_(stiffness),
      long_start_(std::exp(start)),
      long_width_(std::exp(end) - std::exp(start)),
      short_start_(std::exp(-start)),
      short_width_(std::exp(-start) - std::exp(-end)) {}

double BiphasicRamp::energy(double s) const {
  return stiffness_ *
         (s > 1 ? ramp(s - long_start_, long_width_) : ramp(short_start_ - s, short_width_)).value;
}

ScalarJet BiphasicRamp::jet(double s) const {
  const ScalarJet r = s > 1 ? ramp(s - long_start_, long_width_) : ramp(short_start_ - s, short_width_);
  return {stiffness_ * r.value, (s > 1 ? stiffness_ : -stiffness_) * r.first, stiffness_ * r.second};
}

StretchJet BiphasicLaw::jet(double a, double b) const {
  const ScalarJet wa = ramp_.jet(a), wb = ramp_.jet(b);
  StretchJet j;
  j.energy = wa.value + wb.value;
  j.da = wa.first;
  j.db = wb.first;
  j.daa = wa.second;
  j.dbb = wb.second;
  j.twist = (wa.first + wb.first) / std::max(a + b, kCollapsed);
  // Where the two stretches meet, the quotient of differences is the second derivative half-way.
  const double apart = a - b;
  j.flip = apart > 1e-5 ? (wa.first - wb.first) / apart : ramp_.jet((a + b) / 2).second;
  j.lift_a = wa.first / std::max(a, kCollapsed);
  j.lift_b = wb.first / std::max(b, kCollapsed);
  return j;
}

}  // namespace cutis
