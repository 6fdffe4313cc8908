#pragma once

#include <memory>

#include "cutis/material/membrane/membrane_material.h"
#include "cutis/material/membrane/stretch_modes.h"

namespace cutis {

/// A material that keeps its area: W + k (J - 1)² / 2 with J = a b, whatever share of its stiffness it keeps
/// where it would wrinkle. Where a body leaves its skin no way to keep its area, the change is shared out
/// evenly, as an incompressible fluid's pressure would do it.
class AreaPreserving final : public MembraneMaterial {
 public:
  /// `stiffness`: k, above 0 [Pa].
  AreaPreserving(std::shared_ptr<const MembraneMaterial> inner, double stiffness)
      : inner_(std::move(inner)), stiffness_(stiffness) {}

  using MembraneMaterial::energy;
  using MembraneMaterial::evaluate;
  using MembraneMaterial::stress;
  double energy(const Mat32& F, double compression) const override;
  MembraneStress stress(const Mat32& F, double compression) const override;
  MembraneResponse evaluate(const Mat32& F, double projected_share, double compression) const override;
  StiffStress stiff_stress(const Mat32& F, double compression) const override;
  double slack(const Mat32& F) const override { return inner_->slack(F); }

 private:
  std::shared_ptr<const MembraneMaterial> inner_;
  double stiffness_;

  StretchJet area_jet(const StretchFrame& frame) const;
};

}  // namespace cutis
