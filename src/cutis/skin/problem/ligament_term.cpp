#include "cutis/skin/problem/ligament_term.h"

#include "cutis/energy/positive_part.h"
#include "cutis/skin/problem/rest_pullback.h"
#include "cutis/skin/problem/skin_configuration.h"

namespace cutis {

LigamentTerm::LigamentTerm(const LigamentEnergy& ligaments, const SlideSurface& at_rest)
    : ligaments_(ligaments), lengths_(ligaments.ligaments().size(), 1.0) {
  for (const Ligament& ligament : ligaments.ligaments()) {
    const SurfacePoint home = at_rest.home(ligament.vertex);
    homes_.push_back(home.face.valid() ? at_rest.evaluate(home).position : Vec3(Vec3::Zero()));
  }
}

void LigamentTerm::set_limits(const std::vector<double>& limits) {
  for (std::size_t i = 0; i < lengths_.size(); ++i) lengths_[i] = ligaments_.ligaments()[i].limit / limits[i];
}

Vec3 LigamentTerm::stretched(std::size_t ligament, const Vec3& position) const {
  return homes_[ligament] + lengths_[ligament] * (position - homes_[ligament]);
}

std::vector<std::vector<VertexId>> LigamentTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (const Ligament& ligament : ligaments_.ligaments()) out.push_back({ligament.vertex});
  return out;
}

double LigamentTerm::energy(std::size_t stencil, const TermState& state) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const VertexId v = ligaments_.ligaments()[stencil].vertex;
  return ligaments_.energy(stencil, stretched(stencil, skin.rest_jets()[v].position), homes_[stencil]);
}

void LigamentTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const VertexId v = ligaments_.ligaments()[stencil].vertex;
  const SurfaceJet &now = skin.jets[v], &rest = skin.rest_jets()[v];
  EnergyJet<1> own = ligaments_.evaluate(stencil, stretched(stencil, rest.position), homes_[stencil]);
  own.gradient *= lengths_[stencil];
  own.hessian *= lengths_[stencil] * lengths_[stencil];
  const Vec2 g = rest.tangent.transpose() * own.gradient;
  const Mat2 by_rest =
      rest.tangent.transpose() * own.hessian * rest.tangent + own.gradient.dot(rest.normal) * rest.curvature;
  const RestPullback pullback(now, rest);
  const Mat2& J = pullback.first();
  const Mat2 hessian = J.transpose() * by_rest * J + pullback.second(g);
  // In space the pull lies in the tangent plane: curvature does not feel it.
  jet.gradient += now.tangent * (J.transpose() * g);
  jet.hessian += partly_projected(hessian, jet.projected_share);
}

}  // namespace cutis
