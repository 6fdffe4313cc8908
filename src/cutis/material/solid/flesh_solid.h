#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "cutis/material/solid/isotropic_laws.h"

namespace cutis {

/// A sum of an elastic ground and stiff phases, each optional and as many of them as there are: ramps of the
/// three principal stretches (w(s1) + w(s2) + w(s3)) and of the volume ratio J. A function of F alone, C2
/// except on the ridge where an inverted element has s2 = -s3 (the stable neo-Hookean ground and volume ramps
/// have none). Projected is Exact with its negative eigenvalues set to zero.
class FleshSolid final : public SolidMaterial {
 public:
  struct Parts {
    std::variant<std::monostate, StableNeoHookeanLaw, CorotatedLaw> ground;
    std::vector<BiphasicRamp> stretch_ramps, volume_ramps;
  };
  explicit FleshSolid(Parts parts);

  double energy(const Mat3& F) const override;
  SolidStress stress(const Mat3& F) const override;
  SolidResponse evaluate(const Mat3& F, double projected_share) const override;
  ScalarJet volume(double J) const override;
  double shape_energy(const Mat3& F) const override;
  SolidModes evaluate_shape(const Mat3& F, double pressure, double projected_share) const override;

 private:
  Parts parts_;
  /// While no square of a stretch is further from one no ramp has begun, and the volume ratio has digits.
  double soft_ = 0.5;
  PrincipalJet jet(const Vec3& stretches) const;
  PrincipalJet shape_jet(const Vec3& stretches) const;  ///< without volume()
  double shape_energy(const Vec3& stretches) const;
};

}  // namespace cutis
