#pragma once

#include "cutis/material/membrane/stretch_modes.h"
#include "cutis/material/scalar_jet.h"

namespace cutis {

/// St. Venant-Kirchhoff: W = lambda / 2 tr(E)² + mu tr(E²), E the Green strain. Soft when compressed.
class StVenantKirchhoffLaw {
 public:
  StVenantKirchhoffLaw(double young, double poisson);
  double energy(double a, double b) const;
  StretchJet jet(double a, double b) const;

 private:
  double lambda_, mu_;
};

/// Incompressible neo-Hookean skin in plane stress: W = mu/2 (a² + b² + 1/(a b)² - 3) with mu = young / 3;
/// its thickness is 1/(a b). Poisson's ratio is 0.5. Finite where the area vanishes: docs/materials.md.
class NeoHookeanLaw {
 public:
  explicit NeoHookeanLaw(double young) : mu_(young / 3) {}
  double energy(double a, double b) const;
  StretchJet jet(double a, double b) const;

 private:
  double mu_;
};

/// Stabilised Fung (ViSkin, Eq. 2; docs/materials.md settles its misprints):
/// W = mu/2 (I1 - 2) + lambda/2 (J - k)² + alpha/2 (exp(beta/2 (I1 - 2)) - 1), less its value at rest.
/// lambda, mu and k are solved for: no stress at rest, and the tangent there is that of plane stress with
/// `young` and `poisson`. With alpha = 0 it is the stable neo-Hookean membrane. The exponential ends where
/// skin fails (kFailureStretch).
class FungLaw {
 public:
  /// `stiffness` is alpha [Pa], `exponent` beta. Throws InputError when alpha is above largest_stiffness().
  FungLaw(double young, double poisson, double stiffness, double exponent);
  double energy(double a, double b) const;
  StretchJet jet(double a, double b) const;

  /// Above this alpha the solved mu or lambda would be negative: all of the stiffness at rest, and more,
  /// would have to come from the exponential [Pa]. Infinite for exponent 0.
  static double largest_stiffness(double young, double poisson, double exponent);

 private:
  double lambda_, mu_, alpha_, beta_, push_, failed_stiffness_;
  ScalarJet exponential(double squares) const;  ///< exp(beta/2 (I1 - 2)) by its exponent; I1 = `squares`
};

}  // namespace cutis
