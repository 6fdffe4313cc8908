#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// Stress and Hessian of a viscous solid.
struct ViscousModes {
  Mat3 stress;     ///< first Piola-Kirchhoff [Pa]
  Mat3 F, square;  ///< and F Fᵀ
  double modulus;  ///< viscosity / dt [Pa]

  /// d²R/dx dy of R(F + x aᵀ + y bᵀ), as SolidModes::block() has it, without the part that is proportional to
  /// the stress (Gauss-Newton): never negative, and off by no more than the strain of the step.
  Mat3 block(const Vec3& a, const Vec3& b) const {
    return modulus / 2 * (a.dot(b) * square + (F * b) * (F * a).transpose());
  }
};

/// Kelvin-Voigt viscosity of a solid: a second Piola-Kirchhoff stress S of `viscosity` times the rate of
/// Green strain, as a potential over one implicit time step: R = viscosity dt / 2 |(E - E_before) / dt|²
/// [J/m³]. It does not mind how the solid is turned. Where E_before is the strain at the step's start, what a
/// step dissipates, S : (E - E_before) = 2 R, is never negative, and a step that minimises W + R never ends
/// with more W than it began with.
struct SolidViscous {
  double viscosity = 0;  ///< [Pa s]
  double dt = 0;         ///< the step, above 0 [s]

  /// `before` is the green_strain() at the start of the step, or what a backward difference of higher order
  /// has in its place.
  double energy(const Mat3& F, const Mat3& before) const;
  ViscousModes evaluate(const Mat3& F, const Mat3& before) const;
};

}  // namespace cutis
