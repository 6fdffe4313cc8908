#include "cutis/energy/load_term.h"

#include <utility>

namespace cutis {

void LoadTerm::set_forces(Points forces, Points origin) {
  forces_ = std::move(forces);
  origin_ = std::move(origin);
}

std::vector<std::vector<VertexId>> LoadTerm::stencils() const { return single_vertices(vertex_count_); }

double LoadTerm::energy(std::size_t stencil, const TermState& state) const {
  const VertexId v(stencil);
  return forces_.empty() ? 0 : -forces_[v].dot(state.positions[v] - origin_[v]);
}

void LoadTerm::add_derivatives(std::size_t stencil, const TermState&, StencilJet& jet) const {
  if (!forces_.empty()) jet.gradient -= forces_[VertexId(stencil)];
}

}  // namespace cutis
