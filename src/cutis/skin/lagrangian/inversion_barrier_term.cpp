#include "cutis/skin/lagrangian/inversion_barrier_term.h"

#include "cutis/energy/positive_part.h"

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
  return barrier_.energy(stencil, skin.points, skin.at_rest);
}

/// An unknown moves the skin on the body at rest through the barycentrics b that the two have in common.
/// Along straight paths b'' = -A Γ(b', b') on either, so normal coordinates q move those at rest by r(q) = J
/// q + (Γ_rest - J Γ)(A q, A q) / 2 to second order, J = A_rest⁻¹ A.
void InversionBarrierTerm::add_derivatives(std::size_t stencil, const TermState& state,
                                           StencilJet& out) const {
  using Mat6 = InversionBarrier::Mat6;
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const InversionBarrier::Jet jet = barrier_.evaluate(stencil, skin.points, skin.at_rest);
  if (!jet.active) return;
  const auto& c = unknowns_.corners[stencil];
  Mat6 to_rest = Mat6::Zero(), bend = Mat6::Zero();
  for (int a = 0; a < 3; ++a) {
    const SurfaceJet &now = skin.jets[c[a]], &rest = skin.at_rest[c[a]];
    if (unknowns_.block[c[a]] < 0 || rest.to_barycentric.isZero(0)) continue;
    const Mat2 J = rest.to_barycentric.inverse() * now.to_barycentric;
    to_rest.block<2, 2>(2 * a, 2 * a) = J;
    const Vec2 g = jet.gradient.segment<2>(2 * a);
    Mat2 by_barycentrics;
    const auto along = [&](std::size_t k) { return g.dot(rest.christoffel[k] - J * now.christoffel[k]); };
    by_barycentrics << along(0), along(1), along(1), along(2);
    bend.block<2, 2>(2 * a, 2 * a) = now.to_barycentric.transpose() * by_barycentrics * now.to_barycentric;
  }
  const InversionBarrier::Vec6 gradient = to_rest.transpose() * jet.gradient;
  // In space these forces lie in the tangent planes: curvature does not feel them.
  for (int a = 0; a < 3; ++a)
    out.gradient.segment<3>(3 * a) += skin.jets[c[a]].tangent * gradient.segment<2>(2 * a);
  Mat6 hessian = to_rest.transpose() * jet.hessian * to_rest + bend;
  if (out.projected_share > 0) hessian += out.projected_share * (positive_part(hessian) - hessian);
  out.hessian += hessian;
}

}  // namespace cutis
