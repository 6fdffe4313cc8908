#pragma once

#include <memory>

#include "cutis/material/membrane/stretch_modes.h"

namespace cutis {

/// A material with a barrier against collapse: pressed together to less than 0.6 of its length, in any
/// direction, skin resists more and more. Most laws of skin let a triangle shrink to nothing at a finite
/// price.
class CompressionBarrier final : public MembraneMaterial {
 public:
  explicit CompressionBarrier(std::shared_ptr<const MembraneMaterial> inner);

  double energy(const Mat32& F) const override;
  MembraneStress stress(const Mat32& F) const override;
  MembraneResponse evaluate(const Mat32& F, HessianKind kind) const override;
  double modulus() const { return modulus_; }  ///< of the inner material at rest [Pa]

 private:
  std::shared_ptr<const MembraneMaterial> inner_;
  double modulus_;
  StretchJet barrier_of(const StretchFrame& frame) const;
};

}  // namespace cutis
