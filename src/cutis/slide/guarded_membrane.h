#pragma once

#include <memory>

#include "cutis/material/membrane_material.h"

namespace cutis {

/// A barrier against collapse: below a tenth of its rest area skin resists without bound. Most laws of skin
/// let a triangle shrink to nothing, and turn over, at a finite price.
class CollapseBarrier final : public MembraneMaterial {
 public:
  static constexpr double onset = 0.1;  ///< the area ratio at which it begins

  /// `modulus` is that of the skin [Pa].
  explicit CollapseBarrier(double modulus) : modulus_(modulus) {}

  double energy(const Mat32& F) const override;
  MembraneResponse evaluate(const Mat32& F, HessianKind kind) const override;

 private:
  double modulus_;
};

/// A material and the barrier.
class GuardedMembrane final : public MembraneMaterial {
 public:
  explicit GuardedMembrane(std::shared_ptr<const MembraneMaterial> inner);

  double energy(const Mat32& F) const override;
  MembraneResponse evaluate(const Mat32& F, HessianKind kind) const override;
  double modulus() const { return modulus_; }  ///< of the inner material at rest [Pa]

 private:
  std::shared_ptr<const MembraneMaterial> inner_;
  double modulus_;
  CollapseBarrier barrier_;
};

}  // namespace cutis
