#include "cutis/material/uniaxial.h"

#include <algorithm>
#include <cmath>

namespace cutis {

MembraneResponse evaluate_at(const MembraneMaterial& material, const Mat32& F, double angle) {
  // The fibres' frame lies at -angle in the strip's axes: the columns of Q are its axes.
  const double c = std::cos(angle), s = std::sin(angle);
  Mat2 Q;
  Q << c, s, -s, c;
  const MembraneResponse there = material.evaluate(F * Q, HessianKind::Exact);
  MembraneResponse here;
  here.energy = there.energy;
  here.stress = there.stress * Q.transpose();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      Mat3 block = Mat3::Zero();
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) block += Q(i, k) * Q(j, l) * there.hessian.block<3, 3>(3 * k, 3 * l);
      here.hessian.block<3, 3>(3 * i, 3 * j) = block;
    }
  return here;
}

UniaxialPull pull(const MembraneMaterial& material, double stretch, double angle) {
  Mat32 F = Mat32::Zero();
  F(0, 0) = stretch;
  const auto at = [&](double across) {
    F(1, 1) = across;
    return evaluate_at(material, F, angle);
  };
  // Newton on P_yy = 0 within a bracket: thin strips are pushed apart, wide ones pulled together.
  double low = 0, high = 1;
  while (at(high).stress(1, 1) < 0 && high < 1e6) high *= 2;
  double across = std::min(1.0, high);
  MembraneResponse r = at(across);
  for (int i = 0; i < 100; ++i) {
    const double force = r.stress(1, 1), slope = r.hessian(4, 4);
    (force > 0 ? high : low) = across;
    double next = across - force / slope;
    if (!(slope > 0) || !(next > low && next < high)) next = (low + high) / 2;
    const bool done = std::abs(next - across) <= 1e-15 * across;
    across = next;
    r = at(across);
    if (done) break;
  }
  const double slope = r.hessian(4, 4), mixed = r.hessian(0, 4);
  return {across, r.stress(0, 0), r.hessian(0, 0) - (slope > 0 ? mixed * mixed / slope : 0)};
}

}  // namespace cutis
