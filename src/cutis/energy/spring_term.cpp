#include "cutis/energy/spring_term.h"

#include <utility>

namespace cutis {

void SpringTerm::set_springs(Points places, IdVector<VertexId, double> weights) {
  places_ = std::move(places);
  weights_ = std::move(weights);
}

std::vector<std::vector<VertexId>> SpringTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (VertexId v : ids<VertexId>(vertex_count_)) out.push_back({v});
  return out;
}

double SpringTerm::energy(std::size_t stencil, const TermState& state) const {
  if (weights_.empty()) return 0;
  const VertexId v(stencil);
  return 0.5 * weights_[v] * (state.positions[v] - places_[v]).squaredNorm();
}

void SpringTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  if (weights_.empty()) return;
  const VertexId v(stencil);
  const Mat3 hessian = weights_[v] * Mat3::Identity();
  const Mat32& T = jet.directions[0];
  const Mat2 along = T.transpose() * hessian * T;
  jet.gradient += weights_[v] * (state.positions[v] - places_[v]);
  jet.hessian += along;
}

}  // namespace cutis
