#pragma once

#include <cmath>

namespace cutis {

/// The generalized-α method (Chung and Hulbert 1993): of second order, with a third of the error in frequency
/// of backward differences. What is too fast for the step dies out by the factor `kept` in each. Equilibrium
/// holds between the ends of a step, at alpha = n + 1 - alpha_f, with the acceleration at n + 1 - alpha_m.
struct GeneralizedAlpha {
  double alpha_m, alpha_f, beta, gamma;

  /// `kept`: the spectral radius at infinity, 0 to 1.
  explicit GeneralizedAlpha(double kept)
      : alpha_m((2 * kept - 1) / (kept + 1)),
        alpha_f(kept / (kept + 1)),
        beta((1 - alpha_m + alpha_f) * (1 - alpha_m + alpha_f) / 4),
        gamma(0.5 - alpha_m + alpha_f) {}
  /// Implicit Euler in the same form.
  static GeneralizedAlpha implicit_euler() {
    GeneralizedAlpha out(0);
    out.alpha_m = out.alpha_f = 0;
    out.beta = out.gamma = 1;
    out.old_acceleration_ = 0;
    return out;
  }

  /// The step by which inertia counts at alpha: mass / step² (x - predicted) [s].
  double inertia_step(double dt) const { return std::sqrt(beta * dt * dt * (1 - alpha_f) / (1 - alpha_m)); }
  /// Where a node would go by itself until alpha.
  template <class V>
  V predicted(const V& x, const V& v, const V& a, double dt) const {
    const V free =
        x + dt * v + old_acceleration_ * dt * dt * (0.5 - beta - alpha_m * beta / (1 - alpha_m)) * a;
    return alpha_f * x + (1 - alpha_f) * free;
  }
  /// The position at the end of a step from that at alpha.
  template <class V>
  V end_of(const V& at_alpha, const V& x) const {
    return (at_alpha - alpha_f * x) / (1 - alpha_f);
  }
  /// ... and back.
  template <class V>
  V at_alpha(const V& end, const V& x) const {
    return alpha_f * x + (1 - alpha_f) * end;
  }
  /// How fast a value y changes at alpha: (y_alpha - y_n - carry (y_n - y_(n-1))) / step, of the parabola
  /// through the ends of the last two steps. Differences to alpha itself would be of first order: positions
  /// there are on the line between the ends.
  struct Rate {
    double step, carry;
  };
  Rate rate(double dt, double last_step) const {
    if (alpha_f == 0) return {dt, 0};
    const double ratio = dt / last_step, at = 1 - alpha_f, own = (2 * at * ratio + 1) / (1 + ratio);
    return {dt * at / own, at * ratio * ratio * (2 * at - 1) / (1 + ratio) / own};
  }
  /// The acceleration at the end of a step, that which the forces are in equilibrium with, and the velocity.
  template <class V>
  V acceleration(const V& end, const V& x, const V& v, const V& a, double dt) const {
    return (end - x - dt * v - old_acceleration_ * dt * dt * (0.5 - beta) * a) / (beta * dt * dt);
  }
  template <class V>
  V mean_acceleration(const V& a, const V& a_end) const {
    return alpha_m * a + (1 - alpha_m) * a_end;
  }
  template <class V>
  V velocity(const V& v, const V& a, const V& a_end, double dt) const {
    return v + dt * ((1 - gamma) * a + gamma * a_end);
  }

 private:
  double old_acceleration_ = 1;
};

}  // namespace cutis
