#pragma once

#include <vector>

#include "cutis/energy/term.h"
#include "cutis/material/membrane/viscous.h"
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

  /// Skin with viscosity: a step of dt [s] begins at the strain that skin has on `body`. Call it before
  /// set_body(): the axes in which that strain is known hold until end_viscous_step().
  void begin_viscous_step(const Points& body, const SkinConfiguration& skin, double viscosity, double dt);
  /// The Green strain then, at the vertices, in the space of the skin at rest; and what it differs by, once
  /// skin has been carried along.
  IdVector<VertexId, Mat3> strain_before() const;
  void add_strain_before(const IdVector<VertexId, Mat3>& change);
  /// From here on without.
  void end_viscous_step() { viscous_ = {}; }

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;
  void add_gradient(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

  /// Of the skin in a triangle of the unknowns at rest [m²].
  double area(std::size_t stencil, const TermState& state) const;

 private:
  const TissueField& tissue_;
  const MembraneMaterial& material_;
  const SkinUnknowns& unknowns_;
  std::vector<MaterialTriangle> triangles_;
  Viscous viscous_;
  std::vector<Mat32> axes_;    ///< to_rest of each triangle during a viscous step
  std::vector<Mat2> before_;   ///< its strain at the start, in them
  std::vector<double> areas_;  ///< of its skin at rest then [m²]

  void add_thickness_gradient(std::size_t stencil, const MaterialTriangle& triangle, double energy,
                              const SkinConfiguration& skin, StencilJet& jet) const;
  MaterialTriangle triangle(std::size_t stencil, const SkinConfiguration& skin) const;
  template <class F>
  auto with_element(std::size_t stencil, const MaterialTriangle& triangle, const SkinConfiguration& skin,
                    const F& f) const;
};

}  // namespace cutis
