#pragma once

#include "cutis/material/solid/principal_jet.h"

namespace cutis {

/// Stable neo-Hookean (Smith, de Goes, Kim 2018, "Stable neo-Hookean flesh simulation", Eq. 14):
/// W = mu/2 (I - 3) - mu/2 log((I + 1) / 4) + lambda/2 (J - 1)² - 3/4 mu (J - 1), I = |F|². Smooth at every
/// F; an inverted element is pushed back through J, and one without any size leaves it. mu and lambda are
/// solved for: the tangent at rest is that of `young` and `poisson`.
class StableNeoHookeanLaw {
 public:
  StableNeoHookeanLaw(double young, double poisson);
  ScalarJet volume(double J) const;                  ///< lambda/2 (J - 1)²
  double shape_energy(const Vec3& stretches) const;  ///< the rest
  double shape_energy_of(const Mat3& E) const;       ///< the same of a Green strain, for J > 0
  PrincipalJet shape_jet(const Vec3& stretches) const;

 private:
  double lambda_, mu_;
};

/// Co-rotated linear elasticity: W = mu Σ (s_i - 1)² + lambda/2 (Σ s_i - 3)². A parabola in the stretches, as
/// stiff inverted as it is at rest, with a ridge where s2 = -s3 (PrincipalJet::add_ramp).
class CorotatedLaw {
 public:
  CorotatedLaw(double young, double poisson);
  double energy(const Vec3& stretches) const;
  PrincipalJet jet(const Vec3& stretches) const;

 private:
  double lambda_, mu_;
};

}  // namespace cutis
