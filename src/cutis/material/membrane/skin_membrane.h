#pragma once

#include <array>
#include <optional>
#include <variant>

#include "cutis/material/membrane/biphasic.h"
#include "cutis/material/membrane/fibre.h"
#include "cutis/material/membrane/isotropic_laws.h"
#include "cutis/material/membrane/wrinkling.h"

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
  explicit SkinMembrane(const Parts& parts);

  using MembraneMaterial::energy;
  using MembraneMaterial::evaluate;
  using MembraneMaterial::stress;
  double energy(const Mat32& F, double compression) const override;
  MembraneStress stress(const Mat32& F, double compression) const override;
  MembraneResponse evaluate(const Mat32& F, double projected_share, double compression) const override;
  StiffStress stiff_stress(const Mat32& F, double compression) const override;
  /// Fibres have no part in it: they carry no compression anyway.
  double slack(const Mat32& F) const override;

 private:
  Parts parts_;
  Wrinkling wrinkling_;
  template <class Stress>
  Stress stress_as(const Mat32& F, double compression) const;
  double isotropic_energy(double a, double b) const;
  StretchJet isotropic(double a, double b) const;
  StretchJet isotropic(double a, double b, double compression) const;
};

}  // namespace cutis
