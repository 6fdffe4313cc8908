#pragma once

#include "cutis/energy/ligament_energy.h"
#include "cutis/energy/term.h"

namespace cutis {

/// Ligaments between each vertex of the skin and the place of the same vertex on the body.
class LigamentTerm final : public Term {
 public:
  /// Both must outlive the term; the body may move.
  LigamentTerm(const LigamentEnergy& ligaments, const Points& body) : ligaments_(ligaments), body_(body) {}

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  const LigamentEnergy& ligaments_;
  const Points& body_;
};

}  // namespace cutis
