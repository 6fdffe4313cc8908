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

/// An elastic law with viscosity over one step from a strain. The references must outlive it.
class Viscoelastic final : public MembraneMaterial {
 public:
  Viscoelastic(const MembraneMaterial& elastic, const Viscous& viscous, const Mat2& before)
      : elastic_(elastic), viscous_(viscous), before_(before) {}

  double energy(const Mat32& F, double compression) const override {
    return elastic_.energy(F, compression) + viscous_.energy(F, before_);
  }
  MembraneStress stress(const Mat32& F, double compression) const override {
    return evaluate(F, kExact, compression);
  }
  MembraneResponse evaluate(const Mat32& F, double projected_share, double compression) const override;
  double slack(const Mat32& F) const override { return elastic_.slack(F); }

 private:
  const MembraneMaterial& elastic_;
  const Viscous& viscous_;
  const Mat2& before_;
};

}  // namespace cutis
