#pragma once

#include "cutis/core/id.h"
#include "cutis/energy/term.h"

namespace cutis {

/// What resists the sliding of skin over its body during one step of time: viscous drag, and a highest speed.
/// Both see how far a vertex is from where the body has carried its place since the step began.
struct SlideRate {
  double drag = 0;   ///< resistance per area and speed [Pa s/m]
  double speed = 0;  ///< the highest [m/s]; 0: there is none
};

/// As potentials of one implicit step dt: drag A d² / (2 dt), whose force is drag A d / dt, and a barrier
/// that begins at half of speed dt and is infinite there.
class SlideRateTerm final : public Term {
 public:
  /// `areas` of the vertices at rest [m²]; `stiffness` of the skin [N/m] sets the barrier's scale.
  SlideRateTerm(IdVector<VertexId, double> areas, double stiffness);

  /// From where the body has carried the skin to now, over a step of `dt` [s]; `reach` is how far a vertex
  /// may get [m], infinite for no bound.
  void set_step(Points carried, double dt, double drag, double reach);
  /// No resistance.
  void clear() { carried_ = {}; }

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  IdVector<VertexId, double> areas_;
  double stiffness_;
  Points carried_;
  double spring_ = 0;  ///< drag / dt [Pa/m]
  double reach_ = 0;   ///< [m]
};

}  // namespace cutis
