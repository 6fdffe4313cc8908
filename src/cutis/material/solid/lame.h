#pragma once

namespace cutis {

/// Lamé constants of a solid: W = lambda / 2 tr(e)² + mu tr(e²) for small strains e has Young's modulus
/// `young` and Poisson's ratio `poisson` [Pa].
struct Lame {
  double lambda = 0, mu = 0;
};
/// Needs young > 0 and -1 < poisson < 0.5.
inline Lame lame(double young, double poisson) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

}  // namespace cutis
