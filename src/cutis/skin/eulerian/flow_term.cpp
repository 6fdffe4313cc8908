#include "cutis/skin/eulerian/flow_term.h"

#include <Eigen/LU>

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/deformation.h"

namespace cutis {
namespace {

std::array<Vec3, 3> corner_positions(const std::array<VertexId, 3>& c, const Points& positions) {
  return {positions[c[0]], positions[c[1]], positions[c[2]]};
}

Mat32 sides_of(const std::array<VertexId, 3>& c, const Points& positions) {
  Mat32 sides;
  sides << positions[c[1]] - positions[c[0]], positions[c[2]] - positions[c[0]];
  return sides;
}

}  // namespace

FlowTerm::FlowTerm(const TissueField& tissue, const MembraneMaterial& material, const SkinUnknowns& unknowns)
    : tissue_(tissue), material_(material), unknowns_(unknowns), triangles_(unknowns.elements.size()) {}

void FlowTerm::set_body(const Points& body, const SkinConfiguration& skin) {
  parallel_for(triangles_.size(), [&](std::size_t i) {
    const auto& c = unknowns_.corners[i];
    MaterialTriangle& t = triangles_[i];
    t.sides = sides_of(c, body);
    t.compression = 0;
    for (VertexId v : c) t.compression += tissue_.compression(skin.points[v]) / 3;
    t.isotropic = tissue_.isotropic();
    if (!t.isotropic) {
      // In the plane of the triangle: from another one, a tilt would turn the axes within their plane as
      // well, which the gradient does not know of.
      const auto X = corner_positions(c, skin.positions);
      t.to_rest =
          turned_into_plane(tissue_.to_rest({skin.points[c[0]], skin.points[c[1]], skin.points[c[2]]}),
                            (X[1] - X[0]).cross(X[2] - X[0]).normalized());
    }
    if (!(viscous_.viscosity > 0)) return;
    t.isotropic = false;
    t.to_rest = axes_[i];
  });
}

void FlowTerm::begin_viscous_step(const Points& body, const SkinConfiguration& skin, double viscosity,
                                  double dt) {
  viscous_ = {viscosity, dt};
  axes_.resize(triangles_.size());
  before_.resize(triangles_.size());
  areas_.assign(triangles_.size(), 0);
  parallel_for(triangles_.size(), [&](std::size_t i) {
    const auto& c = unknowns_.corners[i];
    MaterialTriangle t;
    t.sides = sides_of(c, body);
    t.isotropic = false;
    if (tissue_.isotropic()) {
      const auto X = corner_positions(c, skin.positions);
      const Vec3 normal = (X[1] - X[0]).cross(X[2] - X[0]).normalized();
      t.to_rest.col(0) = (X[1] - X[0]).normalized();
      t.to_rest.col(1) = normal.cross(t.to_rest.col(0));
    } else {
      t.to_rest = tissue_.to_rest({skin.points[c[0]], skin.points[c[1]], skin.points[c[2]]});
    }
    const MaterialPositionEnergy element(material_, t, corner_positions(c, skin.positions));
    axes_[i] = t.to_rest;
    areas_[i] = element.area();
    before_[i] = element.area() > 0 ? green_strain(element.deformation()) : Mat2(Mat2::Zero());
  });
}

IdVector<VertexId, Mat3> FlowTerm::strain_before() const {
  const std::size_t n = unknowns_.block.size();
  IdVector<VertexId, Mat3> sums(n, Mat3::Zero());
  IdVector<VertexId, double> weights(n, 0);
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const Mat32 back = axes_[i] * (axes_[i].transpose() * axes_[i]).inverse();
    const Mat3 strain = areas_[i] * back * before_[i] * back.transpose();
    for (VertexId v : unknowns_.corners[i]) {
      sums[v] += strain;
      weights[v] += areas_[i];
    }
  }
  for (VertexId v : ids<VertexId>(n))
    if (weights[v] > 0) sums[v] /= weights[v];
  return sums;
}

void FlowTerm::add_strain_before(const IdVector<VertexId, Mat3>& change) {
  parallel_for(triangles_.size(), [&](std::size_t i) {
    Mat3 mean = Mat3::Zero();
    for (VertexId v : unknowns_.corners[i]) mean += change[v] / 3;
    before_[i] += axes_[i].transpose() * mean * axes_[i];
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

template <class F>
auto FlowTerm::with_element(std::size_t stencil, const MaterialTriangle& triangle,
                            const SkinConfiguration& skin, const F& f) const {
  const auto corners = corner_positions(unknowns_.corners[stencil], skin.positions);
  if (!(viscous_.viscosity > 0)) return f(MaterialPositionEnergy(material_, triangle, corners));
  const Viscoelastic both(material_, viscous_, before_[stencil]);
  return f(MaterialPositionEnergy(both, triangle, corners));
}

double FlowTerm::area(std::size_t stencil, const TermState& state) const {
  const auto c = corner_positions(unknowns_.corners[stencil], state.positions);
  return 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm();
}

double FlowTerm::energy(std::size_t stencil, const TermState& state) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const MaterialTriangle t = triangle(stencil, skin);
  return with_element(stencil, t, skin, [](const MaterialPositionEnergy& e) { return e.energy(); });
}

/// Skin of another thickness or stiffness that comes into the triangle changes its energy, too; of that the
/// Hessian knows the part that a change of shape brings along.
void FlowTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const MaterialTriangle t = triangle(stencil, skin);
  const TangentJet<3> own = with_element(stencil, t, skin, [&](const MaterialPositionEnergy& e) {
    return e.evaluate({jet.directions[0], jet.directions[1], jet.directions[2]}, jet.projected_share);
  });
  jet.gradient += own.gradient;
  jet.hessian += own.hessian;
  add_thickness_gradient(stencil, t, own.energy, skin, jet);
}

void FlowTerm::add_gradient(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  const auto& skin = static_cast<const SkinConfiguration&>(state);
  const MaterialTriangle t = triangle(stencil, skin);
  const EnergyGradient<3> own =
      with_element(stencil, t, skin, [](const MaterialPositionEnergy& e) { return e.gradient(); });
  jet.gradient += own.gradient;
  add_thickness_gradient(stencil, t, own.energy, skin, jet);
}

void FlowTerm::add_thickness_gradient(std::size_t stencil, const MaterialTriangle& triangle, double energy,
                                      const SkinConfiguration& skin, StencilJet& jet) const {
  if (tissue_.even()) return;
  for (int k = 0; k < 3; ++k) {
    const VertexId v = unknowns_.corners[stencil][static_cast<std::size_t>(k)];
    const Vec2 slope =
        skin.jets[v].to_barycentric.transpose() * tissue_.stiff_thickness_slope(skin.points[v]);
    jet.gradient.segment<3>(3 * k) += skin.jets[v].tangent * slope * (energy / (3 * triangle.thickness));
  }
}

}  // namespace cutis
