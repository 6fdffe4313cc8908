#include "cutis/skin/problem/inversion_barrier_term.h"

#include "cutis/energy/positive_part.h"
#include "cutis/skin/problem/rest_pullback.h"

namespace cutis {

InversionBarrierTerm::InversionBarrierTerm(const SlideSurface& at_rest, const SkinUnknowns& unknowns,
                                           double stiffness)
    : unknowns_(unknowns), barrier_(at_rest, unknowns.corners, stiffness) {}

std::vector<std::vector<VertexId>> InversionBarrierTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (const auto& c : unknowns_.corners) out.emplace_back(c.begin(), c.end());
  return out;
}

double InversionBarrierTerm::energy(std::size_t stencil, const TermState& state) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  return barrier_.energy(stencil, skin.points, skin.rest_jets());
}

void InversionBarrierTerm::add_derivatives(std::size_t stencil, const TermState& state,
                                           StencilJet& out) const {
  using Mat6 = InversionBarrier::Mat6;
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const InversionBarrier::Jet jet = barrier_.evaluate(stencil, skin.points, skin.rest_jets());
  if (!jet.active) return;
  const auto& c = unknowns_.corners[stencil];
  Mat6 to_rest = Mat6::Zero(), bend = Mat6::Zero();
  for (int a = 0; a < 3; ++a) {
    if (unknowns_.block[c[a]] < 0) continue;
    const RestPullback pullback(skin.jets[c[a]], skin.rest_jets()[c[a]]);
    to_rest.block<2, 2>(2 * a, 2 * a) = pullback.first();
    bend.block<2, 2>(2 * a, 2 * a) = pullback.second(jet.gradient.segment<2>(2 * a));
  }
  const InversionBarrier::Vec6 gradient = to_rest.transpose() * jet.gradient;
  // In space these forces lie in the tangent planes: curvature does not feel them.
  for (int a = 0; a < 3; ++a)
    out.gradient.segment<3>(3 * a) += skin.jets[c[a]].tangent * gradient.segment<2>(2 * a);
  const Mat6 hessian = to_rest.transpose() * jet.hessian * to_rest + bend;
  out.hessian += partly_projected(hessian, out.projected_share);
}

}  // namespace cutis
