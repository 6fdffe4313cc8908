#include "cutis/skin/eulerian/flow_term.h"

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

std::array<Vec3, 3> corner_positions(const std::array<VertexId, 3>& c, const Points& positions) {
  return {positions[c[0]], positions[c[1]], positions[c[2]]};
}

}  // namespace

FlowTerm::FlowTerm(const TissueField& tissue, const MembraneMaterial& material, const SkinUnknowns& unknowns)
    : tissue_(tissue), material_(material), unknowns_(unknowns), triangles_(unknowns.elements.size()) {}

void FlowTerm::set_body(const Points& body, const SkinConfiguration& skin) {
  parallel_for(triangles_.size(), [&](std::size_t i) {
    const auto& c = unknowns_.corners[i];
    MaterialTriangle& t = triangles_[i];
    t.sides.col(0) = body[c[1]] - body[c[0]];
    t.sides.col(1) = body[c[2]] - body[c[0]];
    t.compression = 0;
    for (VertexId v : c) t.compression += tissue_.compression(skin.points[v]) / 3;
    t.isotropic = tissue_.isotropic();
    if (!t.isotropic) t.to_rest = tissue_.to_rest({skin.points[c[0]], skin.points[c[1]], skin.points[c[2]]});
  });
}

std::vector<std::vector<VertexId>> FlowTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (const auto& c : unknowns_.corners) out.emplace_back(c.begin(), c.end());
  return out;
}

MaterialTriangle FlowTerm::triangle(std::size_t stencil, const SkinConfiguration& skin) const {
  MaterialTriangle out = triangles_[stencil];
  out.thickness = 0;
  for (VertexId v : unknowns_.corners[stencil]) out.thickness += tissue_.stiff_thickness(skin.points[v]) / 3;
  return out;
}

MaterialPositionEnergy FlowTerm::element(std::size_t stencil, const MaterialTriangle& triangle,
                                         const SkinConfiguration& skin) const {
  return {material_, triangle, corner_positions(unknowns_.corners[stencil], skin.positions)};
}

double FlowTerm::area(std::size_t stencil, const TermState& state) const {
  const auto c = corner_positions(unknowns_.corners[stencil], state.positions);
  return 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm();
}

double FlowTerm::energy(std::size_t stencil, const TermState& state) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const MaterialTriangle t = triangle(stencil, skin);
  return element(stencil, t, skin).energy();
}

/// Skin of another thickness or stiffness that comes into the triangle changes its energy, too; of that the
/// Hessian knows the part that a change of shape brings along.
void FlowTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const MaterialTriangle t = triangle(stencil, skin);
  const TangentJet<3> own =
      element(stencil, t, skin)
          .evaluate({jet.directions[0], jet.directions[1], jet.directions[2]}, jet.projected_share);
  jet.gradient += own.gradient;
  jet.hessian += own.hessian;
  if (tissue_.even()) return;
  for (int k = 0; k < 3; ++k) {
    const VertexId v = unknowns_.corners[stencil][static_cast<std::size_t>(k)];
    const Vec2 slope =
        skin.jets[v].to_barycentric.transpose() * tissue_.stiff_thickness_slope(skin.points[v]);
    jet.gradient.segment<3>(3 * k) += skin.jets[v].tangent * slope * (own.energy / (3 * t.thickness));
  }
}

}  // namespace cutis
