#pragma once

#include "cutis/material/biphasic_ramp.h"
#include "cutis/material/membrane/stretch_modes.h"

namespace cutis {

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
