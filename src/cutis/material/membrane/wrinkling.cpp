#include "cutis/material/membrane/wrinkling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace cutis {
namespace {

/// The compressive strain at which skin buckles: its stress comes to this times its stiffness and stays
/// there. Stiff thin layers on soft tissue buckle at strains of this order.
constexpr double kCriticalStrain = 0.03;
/// Half the width of the corner that is rounded between one and two slack directions.
constexpr double kCorner = 0.02;
/// Intervals of the natural width's table.
constexpr int kIntervals = 256;
/// The natural width is no less: laws such as St. Venant-Kirchhoff's let it vanish.
constexpr double kLeastWidth = 0.05;

/// The width b <= 1 at which W_b(a, b) = 0.
double free_width(const Wrinkling::Law& law, double a) {
  double low = kLeastWidth, high = 1;
  if (!(law(a, high).db > 0)) return high;
  if (!(law(a, low).db < 0)) return low;
  while (high - low > 1e-14) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (law(a, middle).db < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Second derivatives of the natural cubic spline through values at equal intervals.
std::vector<double> spline_curvature(const std::vector<double>& y, double interval) {
  const std::size_t n = y.size();
  std::vector<double> second(n, 0), upper(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double pivot = 4 - upper[i - 1];
    upper[i] = 1 / pivot;
    second[i] = (6 * (y[i + 1] - 2 * y[i] + y[i - 1]) / (interval * interval) - second[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) second[i] -= upper[i] * second[i + 1];
  return second;
}

/// max(0, x), C2: a ramp between -kCorner and kCorner, never below.
ScalarJet rounded_positive(double x) {
  if (x <= -kCorner) return {};
  if (x >= kCorner) return {x, 1, 0};
  const double t = (x + kCorner) / (2 * kCorner);
  return {2 * kCorner * t * t * t * (1 - 0.5 * t), t * t * (3 - 2 * t), 3 * t * (1 - t) / kCorner};
}

/// Of a compressive strain x the material takes e = c tanh(x / c), c the critical strain; wrinkles take the
/// rest. Their energy is that of the stress which holds them up, so that a linear law's stress is E e: it
/// rises to its critical value and never falls, and the relaxed energy is convex for Poisson's ratios up to a
/// half, both directions buckled or one.
struct Buckling {
  ScalarJet strain;  ///< e by x
  ScalarJet energy;  ///< of wrinkles, over the stiffness
};

Buckling buckling(double x) {
  constexpr double c = kCriticalStrain;
  const double t = x / c, tanh = std::tanh(t), e = c * tanh, e1 = 1 - tanh * tanh, e2 = -2 * tanh * e1 / c;
  const double log_cosh = t + std::log1p(std::exp(-2 * t)) - std::numbers::ln2;
  return {{e, e1, e2}, {c * c * log_cosh - 0.5 * e * e, e * (1 - e1), e1 * (1 - e1) - e * e2}};
}

}  // namespace

Wrinkling::Wrinkling(const Law& law) : stiffness_(law(1, 1).dbb) {
  for (int i = 1; i <= kIntervals; ++i)
    width_.push_back(i == kIntervals ? 1 : free_width(law, static_cast<double>(kIntervals) / i));
  // At 1 / a = 0 the next value: no skin is stretched 256-fold.
  width_.insert(width_.begin(), width_.front());
  curvature_ = spline_curvature(width_, 1.0 / kIntervals);
}

ScalarJet Wrinkling::natural_width(double stretch) const {
  const double u = 1 / stretch, place = u * kIntervals;
  const std::size_t i = std::min(static_cast<std::size_t>(place), static_cast<std::size_t>(kIntervals - 1));
  const double h = 1.0 / kIntervals, t = place - static_cast<double>(i), s = 1 - t;
  const double y0 = width_[i], y1 = width_[i + 1], m0 = curvature_[i], m1 = curvature_[i + 1];
  const double value = s * y0 + t * y1 + h * h / 6 * (s * (s * s - 1) * m0 + t * (t * t - 1) * m1);
  const double first = (y1 - y0) / h + h / 6 * ((1 - 3 * s * s) * m0 + (3 * t * t - 1) * m1);
  const double second = s * m0 + t * m1;
  // du/da = -u²
  return {value, -first * u * u, u * u * u * (2 * first + u * second)};
}

Wrinkling::Direction Wrinkling::direction(double along, double across) const {
  if (along >= 1) return {{along, 1, 0, 0, 0, 0}, {}};  // no natural width is above 1
  // n(max(1, across)), smooth.
  const ScalarJet above = rounded_positive(across - 1), n = natural_width(1 + above.value);
  const ScalarJet m{n.value, n.first * above.first,
                    n.second * above.first * above.first + n.first * above.second};
  const double x = m.value - along;
  if (!(x > 0)) return {{along, 1, 0, 0, 0, 0}, {}};
  const auto [e, w] = buckling(x);
  Direction out;
  out.stretch = {m.value - e.value,       e.first,
                 m.first * (1 - e.first), -e.second,
                 e.second * m.first,      m.second * (1 - e.first) - e.second * m.first * m.first};
  const double k = stiffness_;
  out.energy = {k * w.value,
                -k * w.first,
                k * w.first * m.first,
                k * w.second,
                -k * w.second * m.first,
                k * (w.second * m.first * m.first + w.first * m.second)};
  return out;
}

Wrinkling::State Wrinkling::state(double a, double b) const {
  const Direction first = direction(a, b), second = direction(b, a);
  const auto swapped = [](const Part& p) { return Part{p.value, p.db, p.da, p.dbb, p.dab, p.daa}; };
  const Part &v = first.energy, w = swapped(second.energy);
  return {first.stretch.value == a && second.stretch.value == b,
          first.stretch,
          swapped(second.stretch),
          {v.value + w.value, v.da + w.da, v.db + w.db, v.daa + w.daa, v.dab + w.dab, v.dbb + w.dbb}};
}

StretchJet Wrinkling::jet(double a, double b, const State& state, const StretchJet& w) {
  const Part &p = state.a, &q = state.b, &g = state.buckling;
  StretchJet j;
  j.energy = w.energy + g.value;
  j.da = w.da * p.da + w.db * q.da + g.da;
  j.db = w.da * p.db + w.db * q.db + g.db;
  const auto second = [&](double p1, double q1, double p2, double q2) {
    return w.daa * p1 * p2 + w.dab * (p1 * q2 + q1 * p2) + w.dbb * q1 * q2;
  };
  j.daa = second(p.da, q.da, p.da, q.da) + w.da * p.daa + w.db * q.daa + g.daa;
  j.dab = second(p.da, q.da, p.db, q.db) + w.da * p.dab + w.db * q.dab + g.dab;
  j.dbb = second(p.db, q.db, p.db, q.db) + w.da * p.dbb + w.db * q.dbb + g.dbb;
  set_turning_modes(a, b, j);
  return j;
}

}  // namespace cutis
