#pragma once

#include <array>
#include <optional>
#include <variant>

#include "cutis/material/membrane/biphasic.h"
#include "cutis/material/membrane/fibre.h"
#include "cutis/material/membrane/isotropic_laws.h"

namespace cutis {

/// A sum of parts: an elastic ground, up to two families of fibres and a stiff phase, each optional.
/// Projected clamps the isotropic parts together and adds the fibres, which need no clamping: positive
/// semi-definite, and Exact wherever the isotropic sum is. Without fibres it is Exact with its negative
/// eigenvalues set to zero.
class SkinMembrane final : public MembraneMaterial {
 public:
  struct Parts {
    std::variant<std::monostate, StVenantKirchhoffLaw, NeoHookeanLaw, FungLaw> ground;
    std::optional<BiphasicLaw> stiff_phase;
    std::array<std::optional<Fibre>, 2> fibres;
  };
  explicit SkinMembrane(const Parts& parts) : parts_(parts) {}

  double energy(const Mat32& F) const override;
  MembraneStress stress(const Mat32& F) const override;
  MembraneResponse evaluate(const Mat32& F, HessianKind kind) const override;

 private:
  Parts parts_;
  StretchJet isotropic(double a, double b) const;
};

}  // namespace cutis
