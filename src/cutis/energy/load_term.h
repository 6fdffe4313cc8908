#pragma once

#include "cutis/core/id.h"
#include "cutis/energy/term.h"

namespace cutis {

/// Constant forces on vertices, as a potential: -f · x.
class LoadTerm final : public Term {
 public:
  explicit LoadTerm(std::size_t vertex_count) : vertex_count_(vertex_count) {}

  /// One per vertex [N]; empty: none. `origin`: places from which x counts, to keep the sum small.
  void set_forces(Points forces, Points origin);

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  std::size_t vertex_count_;
  Points forces_, origin_;
};

}  // namespace cutis
