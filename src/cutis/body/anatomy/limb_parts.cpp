#include "cutis/body/anatomy/limb_parts.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace cutis {
namespace {

/// Against the squares of logarithms of lengths: a part that has no joint of its own, and one that has more
/// than one (a twist bone in the chain).
constexpr double kMissingPart = 0.1, kExtraJoint = 0.15;
/// Girdles and ends differ more between bodies than the long bones do.
constexpr double kLooseWeight = 0.3;

double misfit(double length, double expected) {
  const double x = std::log((length + 1e-12) / (expected + 1e-12));
  return x * x;
}

}  // namespace

LimbParts limb_parts(std::span<const double> bones, const LimbProportions& proportions,
                     std::optional<int> end) {
  const int last = static_cast<int>(bones.size());
  if (last == 0) return {};
  if (last == 1) return {0, 1, -1};
  const auto between = [&](int from, int to) {
    return std::accumulate(bones.begin() + from, bones.begin() + to, 0.0);
  };
  LimbParts best;
  double least = std::numeric_limits<double>::infinity();
  for (int upper = 0; upper + 2 <= last; ++upper)
    for (int lower = upper + 1; lower < last; ++lower)
      for (int tip = lower + 1; tip <= last; ++tip) {
        if (end && *end >= 2 && tip != *end) continue;
        const double length = between(upper, lower);
        double cost = misfit(between(lower, tip), proportions.lower * length);
        cost +=
            upper == 0 ? kMissingPart : kLooseWeight * misfit(between(0, upper), proportions.girdle * length);
        cost +=
            tip == last ? kMissingPart : kLooseWeight * misfit(between(tip, last), proportions.end * length);
        cost += kExtraJoint * (std::max(upper - 1, 0) + lower - upper - 1 + tip - lower - 1);
        if (cost < least) least = cost, best = {upper, lower, tip};
      }
  return best;
}

}  // namespace cutis
