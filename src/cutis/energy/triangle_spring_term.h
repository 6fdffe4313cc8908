#pragma once

#include <array>
#include <vector>

#include "cutis/energy/term.h"

namespace cutis {

/// Between a place in a triangle and a place in space, along a plane.
struct TriangleSpring {
  std::size_t triangle = 0;
  Vec3 barycentric = Vec3(1, 0, 0);
  Vec3 place = Vec3::Zero();      ///< [m]
  Mat32 tangent = Mat32::Zero();  ///< of the plane, orthonormal columns
};

/// Springs without length between places in triangles and places in space: all of one stiffness, and none
/// resists along the normal of its plane. Triangles may have any number of them, so the pattern of a matrix
/// stays as it is while they move from one to the next.
class TriangleSpringTerm final : public Term {
 public:
  /// `stiffness` of each spring [N/m].
  TriangleSpringTerm(std::vector<std::array<VertexId, 3>> triangles, double stiffness)
      : triangles_(std::move(triangles)), stiffness_(stiffness), springs_(triangles_.size()) {}

  void set_springs(const std::vector<TriangleSpring>& springs);
  /// How long the longest one is, along its plane [m].
  double longest(const TermState& state) const;

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  std::vector<std::array<VertexId, 3>> triangles_;
  double stiffness_;
  std::vector<std::vector<TriangleSpring>> springs_;  ///< of each triangle

  Vec2 length(const TriangleSpring& spring, const TermState& state) const;
};

}  // namespace cutis
