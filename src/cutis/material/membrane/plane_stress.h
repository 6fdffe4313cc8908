#pragma once

namespace cutis {

/// Lamé constants of a thin sheet in plane stress: W = lambda / 2 tr(e)² + mu tr(e²) for small strains e in
/// the plane has Young's modulus `young` and contracts across a pull by `poisson` [Pa].
struct PlaneStress {
  double lambda = 0, mu = 0;
};
/// Needs young > 0 and -1 < poisson < 1.
inline PlaneStress plane_stress(double young, double poisson) {
  return {young * poisson / (1 - poisson * poisson), young / (2 * (1 + poisson))};
}

}  // namespace cutis
