#pragma once

#include <memory>

#include "cutis/material/membrane/stretch_modes.h"

namespace cutis {

/// Of a material at rest [Pa].
double modulus_of(const MembraneMaterial& material);

/// A material with a barrier against collapse: pressed together to less than a quarter of its length, in any
/// direction, a triangle resists more and more. Most laws of skin let it shrink to nothing at a finite price.
/// It is a device, not physics: nothing that is written contains it.
class CompressionBarrier final : public MembraneMaterial {
 public:
  explicit CompressionBarrier(std::shared_ptr<const MembraneMaterial> inner);

  using MembraneMaterial::energy;
  using MembraneMaterial::evaluate;
  using MembraneMaterial::stress;
  double energy(const Mat32& F, double compression) const override;
  MembraneStress stress(const Mat32& F, double compression) const override;
  MembraneResponse evaluate(const Mat32& F, double projected_share, double compression) const override;
  double slack(const Mat32& F) const override { return inner_->slack(F); }
  /// What the barrier alone holds [J/m³].
  double barrier_energy(const Mat32& F) const;

 private:
  std::shared_ptr<const MembraneMaterial> inner_;
  double modulus_;
  StretchJet barrier_of(const StretchFrame& frame) const;
};

}  // namespace cutis
