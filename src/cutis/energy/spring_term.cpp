#include "cutis/energy/spring_term.h"

#include <utility>

namespace cutis {

void SpringTerm::set_springs(Points places, IdVector<VertexId, Mat3> weights) {
  places_ = std::move(places);
  weights_ = std::move(weights);
}

void SpringTerm::set_springs(Points places, const IdVector<VertexId, double>& weights) {
  IdVector<VertexId, Mat3> every_way;
  for (double w : weights) every_way.push_back(w * Mat3::Identity());
  set_springs(std::move(places), std::move(every_way));
}

std::vector<std::vector<VertexId>> SpringTerm::stencils() const { return single_vertices(vertex_count_); }

double SpringTerm::energy(std::size_t stencil, const TermState& state) const {
  if (weights_.empty()) return 0;
  const VertexId v(stencil);
  const Vec3 d = state.positions[v] - places_[v];
  return 0.5 * d.dot(weights_[v] * d);
}

void SpringTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  if (weights_.empty()) return;
  const VertexId v(stencil);
  const Mat32& T = jet.directions[0];
  const Mat2 along = T.transpose() * weights_[v] * T;
  jet.gradient += weights_[v] * (state.positions[v] - places_[v]);
  jet.hessian += along;
}

}  // namespace cutis
