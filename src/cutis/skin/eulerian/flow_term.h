#pragma once

#include <vector>

#include "cutis/energy/term.h"
#include "cutis/skin/eulerian/tissue_field.h"
#include "cutis/skin/problem/skin_configuration.h"
#include "cutis/skin/problem/skin_unknowns.h"

namespace cutis {

/// The elastic energy of skin that flows through the triangles of a body (Thin Skin Elastodynamics, 3.4). A
/// state says which point of the skin is at each vertex of the body; it must be of the type
/// SkinConfiguration. Thin QR does not see where a triangle is turned over on the skin: that is left to the
/// inversion barrier.
///
/// The paper's Eq. 5 has the wrong sign for Eq. 7, and takes one Jacobian per triangle, which is no virtual
/// work; this is the gradient of the energy itself, with the Jacobian of each vertex.
class FlowTerm final : public Term {
 public:
  /// The references must outlive the term.
  FlowTerm(const TissueField& tissue, const MembraneMaterial& material, const SkinUnknowns& unknowns);

  /// The body's vertices now, and what its triangles see of the skin: fibres, pre-stretch and the share of
  /// compression are looked up here, once a step; thickness and stiffness as skin moves.
  void set_body(const Points& body, const SkinConfiguration& skin);

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

  /// Of the skin in a triangle of the unknowns at rest [m²].
  double area(std::size_t stencil, const TermState& state) const;

 private:
  const TissueField& tissue_;
  const MembraneMaterial& material_;
  const SkinUnknowns& unknowns_;
  std::vector<MaterialTriangle> triangles_;

  MaterialTriangle triangle(std::size_t stencil, const SkinConfiguration& skin) const;
  MaterialPositionEnergy element(std::size_t stencil, const MaterialTriangle& triangle,
                                 const SkinConfiguration& skin) const;
};

}  // namespace cutis
