#include "cutis/energy/ligament_term.h"

namespace cutis {

std::vector<std::vector<VertexId>> LigamentTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (const Ligament& ligament : ligaments_.ligaments()) out.push_back({ligament.vertex});
  return out;
}

double LigamentTerm::energy(std::size_t stencil, const TermState& state) const {
  const VertexId v = ligaments_.ligaments()[stencil].vertex;
  return ligaments_.energy(stencil, state.positions[v], body_[v]);
}

void LigamentTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const VertexId v = ligaments_.ligaments()[stencil].vertex;
  const EnergyJet<1> own = ligaments_.evaluate(stencil, state.positions[v], body_[v]);
  const Mat32& T = jet.directions[0];
  const Mat2 hessian = T.transpose() * own.hessian * T;
  jet.gradient += own.gradient;
  jet.hessian += hessian;
}

}  // namespace cutis
