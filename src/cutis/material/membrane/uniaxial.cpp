#include "cutis/material/membrane/uniaxial.h"

#include <algorithm>
#include <cmath>

namespace cutis {

Mat2 fibre_axes(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat2 axes;
  axes << c, s, -s, c;
  return axes;
}

UniaxialPull pull(const MembraneMaterial& material, double stretch, double angle) {
  const Mat2 Q = fibre_axes(angle);
  struct State {
    double along, across;                      // stress
    double along_along, mixed, across_across;  // its derivatives by the two stretches
  };
  // d vec(F) = vec(e_i q_iᵀ) for the stretch along axis i, with q_i that axis in the fibres' frame.
  const auto at = [&](double across) {
    Mat32 F = Mat32::Zero();
    F.row(0) = stretch * Q.row(0);
    F.row(1) = across * Q.row(1);
    const MembraneResponse r = material.evaluate(F, kExact);
    Eigen::Matrix<double, 6, 2> d = Eigen::Matrix<double, 6, 2>::Zero();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) d(3 * j + i, i) = Q(i, j);
    const Mat2 H = d.transpose() * r.hessian * d;
    return State{r.stress.row(0).dot(Q.row(0)), r.stress.row(1).dot(Q.row(1)), H(0, 0), H(0, 1), H(1, 1)};
  };
  // Newton on P_yy = 0 within a bracket: thin strips are pushed apart, wide ones pulled together.
  double low = 0, high = 1;
  while (at(high).across < 0 && high < 1e6) high *= 2;
  double across = std::min(1.0, high);
  State r = at(across);
  for (int i = 0; i < 100; ++i) {
    const double force = r.across, slope = r.across_across;
    (force > 0 ? high : low) = across;
    double next = across - force / slope;
    if (!(slope > 0) || !(next > low && next < high)) next = (low + high) / 2;
    // Newton doubles the digits: after this step all of them are there.
    const bool done = std::abs(next - across) <= 1e-9 * across;
    across = next;
    r = at(across);
    if (done) break;
  }
  const double narrowing = r.across_across > 0 ? r.mixed * r.mixed / r.across_across : 0;
  return {across, r.along, r.along_along - narrowing};
}

}  // namespace cutis
