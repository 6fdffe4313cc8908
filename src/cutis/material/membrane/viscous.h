#pragma once

#include "cutis/material/membrane/membrane_material.h"

namespace cutis {

/// Kelvin-Voigt viscosity: a second Piola-Kirchhoff stress of `viscosity` times the rate of Green strain, as
/// a potential over one implicit time step: W = viscosity dt / 2 |(E - E_before) / dt|² [J/m³]. It does not
/// mind how the skin is turned, and vanishes when nothing stretches.
struct Viscous {
  double viscosity = 0;  ///< [Pa s]
  double dt = 0;         ///< the step, above 0 [s]

  /// `before` is the green_strain() at the start of the step.
  double energy(const Mat32& F, const Mat2& before) const;
  /// Projected leaves out the part of the stress that compresses: positive semi-definite, Exact where nothing
  /// is being compressed.
  MembraneResponse evaluate(const Mat32& F, const Mat2& before, double projected_share) const;
};

}  // namespace cutis
