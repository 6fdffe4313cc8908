#pragma once

#include <span>

#include "cutis/material/membrane/scalar_jet.h"
#include "cutis/material/membrane/stretch_modes.h"

namespace cutis {

/// How much something is deformed, for membranes (two principal stretches) and solids (three) alike: the
/// largest |ln stretch|, the same for twice as long and half as long. Zero at rest, infinite when collapsed.
double deformation_measure(std::span<const double> stretches);

/// What one principal stretch adds in the stiff phase: nothing while |ln stretch| <= start, the full
/// stiffness d²w/ds² from |ln stretch| = end on, and a smooth ramp between, so that w is C3. For membranes
/// and solids.
class BiphasicRamp {
 public:
  /// `stiffness` [Pa]; 0 <= start < end.
  BiphasicRamp(double stiffness, double start, double end);
  double energy(double stretch) const;  ///< [J/m³]
  ScalarJet jet(double stretch) const;  ///< with its derivatives by the stretch

 private:
  double stiffness_, long_start_, long_width_, short_start_, short_width_;
};

/// The stiff phase of a membrane: one ramp for each principal stretch (docs/materials.md says why they are
/// not coupled). Soft wherever deformation_measure() is below the start.
class BiphasicLaw {
 public:
  BiphasicLaw(double stiffness, double start, double end) : ramp_(stiffness, start, end) {}
  double energy(double a, double b) const { return ramp_.energy(a) + ramp_.energy(b); }
  StretchJet jet(double a, double b) const;

 private:
  BiphasicRamp ramp_;
};

}  // namespace cutis
