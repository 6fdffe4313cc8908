#pragma once

#include "cutis/core/id.h"
#include "cutis/energy/term.h"

namespace cutis {

/// Springs without length between vertices and places in space: (x - place)ᵀ w (x - place) / 2 [J]. They
/// regularise the null space of skin that nothing else holds, or are the inertia of a step, which pulls to
/// where motion alone would lead.
class SpringTerm final : public Term {
 public:
  explicit SpringTerm(std::size_t vertex_count) : vertex_count_(vertex_count) {}

  /// One place and one weight w [N/m] per vertex, positive semi-definite; both empty: no springs.
  void set_springs(Points places, IdVector<VertexId, Mat3> weights);
  void set_springs(Points places, const IdVector<VertexId, double>& weights);

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  std::size_t vertex_count_;
  Points places_;
  IdVector<VertexId, Mat3> weights_;
};

}  // namespace cutis
