#pragma once

#include "cutis/material/solid/solid_material.h"

namespace cutis {

Mat3 green_strain(const Mat3& F);  ///< E = (FᵀF - I) / 2

/// Kelvin-Voigt viscosity of a solid: a second Piola-Kirchhoff stress S of `viscosity` times the rate of
/// Green strain, as a potential over one implicit time step: R = viscosity dt / 2 |(E - E_before) / dt|²
/// [J/m³]. It does not mind how the solid is turned. What a step dissipates, S : (E - E_before) = 2 R, is
/// never negative, and a step that minimises W + R never ends with more W than it began with.
struct SolidViscous {
  double viscosity = 0;  ///< [Pa s]
  double dt = 0;         ///< the step, above 0 [s]

  /// `before` is the green_strain() at the start of the step.
  double energy(const Mat3& F, const Mat3& before) const;
  /// Projected leaves out the part of the stress that compresses: positive semi-definite, Exact where nothing
  /// is being compressed.
  SolidResponse evaluate(const Mat3& F, const Mat3& before, double projected_share) const;
};

}  // namespace cutis
