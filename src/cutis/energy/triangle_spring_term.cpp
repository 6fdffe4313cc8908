#include "cutis/energy/triangle_spring_term.h"

#include <algorithm>

namespace cutis {

void TriangleSpringTerm::set_springs(const std::vector<TriangleSpring>& springs) {
  for (auto& of_triangle : springs_) of_triangle.clear();
  for (const TriangleSpring& spring : springs) springs_[spring.triangle].push_back(spring);
}

Vec2 TriangleSpringTerm::length(const TriangleSpring& spring, const TermState& state) const {
  Vec3 there = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    there +=
        spring.barycentric[k] * state.positions[triangles_[spring.triangle][static_cast<std::size_t>(k)]];
  return spring.tangent.transpose() * (there - spring.place);
}

double TriangleSpringTerm::longest(const TermState& state) const {
  double largest = 0;
  for (const auto& springs : springs_)
    for (const TriangleSpring& spring : springs) largest = std::max(largest, length(spring, state).norm());
  return largest;
}

std::vector<std::vector<VertexId>> TriangleSpringTerm::stencils() const {
  std::vector<std::vector<VertexId>> out;
  for (const auto& c : triangles_) out.emplace_back(c.begin(), c.end());
  return out;
}

double TriangleSpringTerm::energy(std::size_t stencil, const TermState& state) const {
  double sum = 0;
  for (const TriangleSpring& spring : springs_[stencil])
    sum += 0.5 * stiffness_ * length(spring, state).squaredNorm();
  return sum;
}

void TriangleSpringTerm::add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const {
  for (const TriangleSpring& spring : springs_[stencil]) {
    const Vec3 force = stiffness_ * (spring.tangent * length(spring, state));
    Eigen::Matrix<double, 2, 6> moves;  // of the skin at the place, by ways along the directions
    for (int k = 0; k < 3; ++k) {
      jet.gradient.segment<3>(3 * k) += spring.barycentric[k] * force;
      moves.middleCols<2>(2 * k) =
          spring.barycentric[k] * spring.tangent.transpose() * jet.directions[static_cast<std::size_t>(k)];
    }
    jet.hessian += stiffness_ * moves.transpose() * moves;
  }
}

}  // namespace cutis
