#include "cutis/energy/membrane_term.h"

#include <utility>

namespace cutis {

MembraneTerm::MembraneTerm(std::vector<std::size_t> elements, std::vector<std::array<VertexId, 3>> triangles)
    : elements_(std::move(elements)), triangles_(std::move(triangles)) {}

std::vector<std::vector<VertexId>> MembraneTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (const auto& t : triangles_) out.emplace_back(t.begin(), t.end());
  return out;
}

double MembraneTerm::energy(std::size_t stencil, const TermState& state) const {
  return membrane_->energy(elements_[stencil], state.positions);
}

void MembraneTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const TangentJet<3> own =
      membrane_->evaluate(elements_[stencil], state.positions,
                          {jet.directions[0], jet.directions[1], jet.directions[2]}, jet.projected_share);
  Eigen::Map<Eigen::Matrix<double, 9, 1>>(jet.gradient.data()) += own.gradient;
  Eigen::Map<Eigen::Matrix<double, 6, 6>>(jet.hessian.data()) += own.hessian;
}

}  // namespace cutis
