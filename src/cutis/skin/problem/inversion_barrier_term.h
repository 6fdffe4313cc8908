#pragma once

#include "cutis/skin/problem/inversion_barrier.h"
#include "cutis/skin/problem/skin_configuration.h"
#include "cutis/skin/problem/skin_unknowns.h"

namespace cutis {

/// The inversion barrier of each triangle with an unknown corner. It is measured on the body at rest, and
/// pushes the skin on the body as it lies now. States must be of the type SkinConfiguration.
class InversionBarrierTerm final : public Term {
 public:
  /// The unknowns must outlive the term. `stiffness` as in InversionBarrier.
  InversionBarrierTerm(const SlideSurface& at_rest, const SkinUnknowns& unknowns, double stiffness);

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  const SkinUnknowns& unknowns_;
  InversionBarrier barrier_;
};

}  // namespace cutis
