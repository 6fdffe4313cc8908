#include "cutis/material/biphasic_ramp.h"

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

/// The divided difference of the first derivative of ramp(): that of the quartic over the part of [t, u] in
/// which the second derivative rises, and 1 over the part beyond it. No term is negative: nothing cancels.
double ramp_divided_difference(double t, double u, double width) {
  if (!(std::max(t, u) > 0)) return 0;
  if (t == u) return ramp(t, width).second;
  const double rising_t = std::clamp(t, 0.0, width), rising_u = std::clamp(u, 0.0, width);
  const double x = rising_t / width, y = rising_u / width;
  // (x³ - x⁴/2 - y³ + y⁴/2) / (x - y)
  const double quartic = x * x + x * y + y * y - 0.5 * (x + y) * (x * x + y * y);
  const double beyond = std::max(t, width) - std::max(u, width);
  return ((rising_t - rising_u) * quartic + beyond) / (t - u);
}

}  // namespace

double deformation_measure(std::span<const double> stretches) {
  double largest = 0;
  for (double s : stretches) largest = std::max(largest, std::abs(std::log(s)));
  return largest;
}

// The ramp runs in the ratio, between the ratios that |ln| maps to start and end: then w is a polynomial,
// convex at any ratio (a quadratic in ln s softens beyond s = e) and finite at collapse.
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

double BiphasicRamp::divided_difference(double a, double b) const {
  return stiffness_ * (ramp_divided_difference(a - long_start_, b - long_start_, long_width_) +
                       ramp_divided_difference(short_start_ - a, short_start_ - b, short_width_));
}

}  // namespace cutis
