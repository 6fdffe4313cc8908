#pragma once

#include <array>

#include "cutis/energy/membrane_energy.h"
#include "cutis/energy/term.h"

namespace cutis {

/// Some elements of a membrane, whose energy may be exchanged for another of the same elements.
class MembraneTerm final : public Term {
 public:
  /// `triangles`: the vertices of each of `elements`, which are indices into those of the membrane.
  MembraneTerm(std::vector<std::size_t> elements, std::vector<std::array<VertexId, 3>> triangles);

  /// The membrane must outlive the term's use. Before the first call nothing can be evaluated.
  void set_membrane(const MembraneEnergy& membrane) { membrane_ = &membrane; }

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  std::vector<std::size_t> elements_;
  std::vector<std::array<VertexId, 3>> triangles_;
  const MembraneEnergy* membrane_ = nullptr;
};

}  // namespace cutis
