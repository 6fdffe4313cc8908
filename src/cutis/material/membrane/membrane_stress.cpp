#include "cutis/material/membrane/membrane_stress.h"

#include <cmath>

#include "cutis/surface/mesh/deformation.h"

namespace cutis {

Mat3 tension(const Mat32& F, const Mat32& P) {
  const double J = area_ratio(F);
  if (!(J > 0)) return Mat3::Zero();
  return P * F.transpose() / J;
}

Mat3 cauchy_stress(const Mat32& F, const Mat32& P, double thickness) { return tension(F, P) / thickness; }

double thickness_now(const Mat32& F, double rest_thickness) { return rest_thickness / area_ratio(F); }

PrincipalValues principal_values(const Mat3& tensor, const Mat32& F) {
  const PrincipalStretches s = principal_stretches(F);
  const double a = s.max_now.dot(tensor * s.max_now), b = s.min_now.dot(tensor * s.min_now);
  const double c = (s.max_now.dot(tensor * s.min_now) + s.min_now.dot(tensor * s.max_now)) / 2;
  // Mohr's circle: its centre and its radius.
  const double centre = (a + b) / 2, radius = std::hypot((a - b) / 2, c);
  return {centre + radius, centre - radius};
}

}  // namespace cutis
