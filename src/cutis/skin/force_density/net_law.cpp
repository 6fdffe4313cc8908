#include "cutis/skin/force_density/net_law.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cutis {
namespace {

// Of w: without strain, what compression adds, and what tension adds at most. Three times as much of the last
// lets single collapsed triangles of a mouth rule a face's steps; a third of it, and peaks of strain are
// left.
constexpr double kSlack = 0.3, kCompressed = 0.3, kTaut = 1.5;
/// Stretches below this count as this: the density of a triangle that collapses must stay finite.
constexpr double kLeastStretch = 0.1;

struct Squares {
  double max, min;
};

/// Squared stretches: the eigenvalues of FᵀF = (uu uv; uv vv).
Squares squared_stretches(double uu, double vv, double uv) {
  const double mean = (uu + vv) / 2, radius = std::sqrt((uu - vv) * (uu - vv) / 4 + uv * uv);
  return {mean + radius, mean - radius};
}

}  // namespace

NetPull net_pull(const RestTriangle& rest, const Mat32& F, double by_strain) {
  const double uu = F.col(0).squaredNorm(), vv = F.col(1).squaredNorm(), uv = F.col(0).dot(F.col(1));
  Squares square = squared_stretches(uu, vv, uv);
  square.min = std::max(square.min, kLeastStretch * kLeastStretch);
  square.max = std::max(square.max, square.min);
  const double max = std::sqrt(square.max), min = std::sqrt(square.min);
  // w(e) = slack + taut x / (taut + x) with x = (e / s)²; the derivative of w e is at most slack + 3 (w -
  // slack).
  const auto stiffened = [&](double e) {
    const double x = by_strain * e * e;
    return e > 0 ? kTaut * x / (kTaut + x) : 0;
  };
  const auto density = [&](double e, double more) { return kSlack + (e > 0 ? more : kCompressed); };
  const double more_max = stiffened(max - 1), more_min = stiffened(min - 1);
  const double w_max = density(max - 1, more_max), w_min = density(min - 1, more_min);
  const double s_max = w_max * (max - 1) / max, s_min = w_min * (min - 1) / min;
  // S = s_min + (s_max - s_min) m mᵀ, with m mᵀ = (FᵀF - λ_min²) / (λ_max² - λ_min²).
  const double apart = square.max - square.min;
  const double slope = apart > 1e-12 ? (s_max - s_min) / apart : 0;
  Mat2 S;
  S << s_min + slope * (uu - square.min), slope * uv, slope * uv, s_min + slope * (vv - square.min);
  NetPull pull;
  pull.forces.noalias() = rest.area * F * (S * rest.inverse.transpose());
  pull.stiffness = rest.area * std::max(w_max + 2 * more_max, w_min);
  return pull;
}

double net_strain(const Mat32& F) {
  const Squares square =
      squared_stretches(F.col(0).squaredNorm(), F.col(1).squaredNorm(), F.col(0).dot(F.col(1)));
  return std::max(0.0, std::sqrt(square.max) - 1);
}

}  // namespace cutis
