#pragma once

#include <limits>

#include "cutis/material/membrane/membrane_material.h"
#include "cutis/material/scalar_jet.h"

namespace cutis {

/// Collagen along one direction (ViSkin, Eqs. 4-5): W = max(0, s³) (k1 + k2 exp(k3 s)), s = dᵀFᵀF d - 1.
/// Nothing when compressed, C2 in between. Its Hessian is positive semi-definite everywhere.
struct Fibre {
  Vec2 direction = Vec2::UnitX();  ///< unit, in the rest frame
  double linear = 0;               ///< k1 [Pa]
  double stiffness = 0;            ///< k2 [Pa]
  double exponent = 0;             ///< k3
  /// s from which on the fibre has failed (failed_extension), and the stiffness that is left [Pa].
  double failure = std::numeric_limits<double>::infinity();
  double failed_stiffness = 0;

  /// W and its derivatives by s.
  ScalarJet law(double s) const;
  double energy(const Mat32& F) const;
  void add_stress(const Mat32& F, MembraneStress& stress) const;
  void add_stress(const Mat32& F, StiffStress& stress) const;
  void add(const Mat32& F, MembraneResponse& response) const;
};

}  // namespace cutis
