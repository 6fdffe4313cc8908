#pragma once

#include <vector>

#include "cutis/energy/energy_jet.h"
#include "cutis/material/membrane_material.h"
#include "cutis/surface/mesh.h"

namespace cutis {

/// ViSkin, Eq. 10, per rest area and in SI units: w(l) = m1 l² + m2 exp(m3 (l² - limit²)) [J/m²].
struct LigamentLaw {
  double stiffness = 0;  ///< m1 [N/m³]
  double strength = 0;   ///< m2 [N/m]
  double sharpness = 0;  ///< m3 [1/m²]
};

/// The ligaments around one vertex of the skin.
struct Ligament {
  VertexId vertex;
  double area = 0;   ///< rest area of skin that they tie, times their density [m²]
  double limit = 0;  ///< length at which they are fully extended [m], above zero (stuck skin is no unknown)
};

class LigamentEnergy {
 public:
  LigamentEnergy(std::vector<Ligament> ligaments, const LigamentLaw& law);

  const std::vector<Ligament>& ligaments() const { return ligaments_; }

  /// Energy of ligament `i` between the skin at `position` and its attachment, which the body carries.
  double energy(std::size_t i, const Vec3& position, const Vec3& attachment) const;
  EnergyJet<1> evaluate(std::size_t i, const Vec3& position, const Vec3& attachment, HessianKind kind) const;

 private:
  std::vector<Ligament> ligaments_;
  LigamentLaw law_;
};

}  // namespace cutis
