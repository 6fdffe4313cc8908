#include "cutis/material/membrane/biphasic.h"

#include <algorithm>

namespace cutis {
namespace {

constexpr double kCollapsed = 1e-12;  ///< bounds stress over stretch where there is no stretch left

}  // namespace

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
