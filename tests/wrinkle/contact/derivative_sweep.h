#pragma once

#include <algorithm>
#include <limits>

#include "cutis/wrinkle/contact/contact_distance.h"

namespace cutis::test {

/// The smallest error over a sweep of steps, of central differences against a gradient and a Hessian,
/// relative to their largest entry.
struct DerivativeErrors {
  double gradient = std::numeric_limits<double>::infinity();
  double hessian = std::numeric_limits<double>::infinity();
};

/// `jet_at(x)` gives value, gradient and Hessian at a vector x; steps run from 1e-3 to 1e-7 of `size`.
template <class Vector, class JetAt>
DerivativeErrors derivative_errors(const Vector& x, double size, const JetAt& jet_at) {
  const auto exact = jet_at(x);
  DerivativeErrors best;
  for (double h = 1e-3 * size; h > 0.9e-7 * size; h /= 10) {
    DerivativeErrors here{0, 0};
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Vector ahead = x, behind = x;
      ahead[i] += h;
      behind[i] -= h;
      const auto a = jet_at(ahead), b = jet_at(behind);
      here.gradient = std::max(here.gradient, std::abs((a.value - b.value) / (2 * h) - exact.gradient[i]));
      here.hessian = std::max(
          here.hessian,
          ((a.gradient - b.gradient) / (2 * h) - exact.hessian.col(i)).template lpNorm<Eigen::Infinity>());
    }
    best.gradient = std::min(best.gradient, here.gradient);
    best.hessian = std::min(best.hessian, here.hessian);
  }
  best.gradient /= exact.gradient.template lpNorm<Eigen::Infinity>();
  best.hessian /= exact.hessian.template lpNorm<Eigen::Infinity>();
  return best;
}

inline ContactPoints points_of(const Vec12& x) {
  return {x.segment<3>(0), x.segment<3>(3), x.segment<3>(6), x.segment<3>(9)};
}
inline Vec12 vector_of(const ContactPoints& points) {
  Vec12 x;
  x << points[0], points[1], points[2], points[3];
  return x;
}

}  // namespace cutis::test
