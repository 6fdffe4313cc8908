#pragma once

#include "cutis/energy/ligament_energy.h"
#include "cutis/energy/term.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Ligaments between each vertex of the skin and its home. Their length is the straight distance on the body
/// at rest between home and where the skin lies: as the body moves, creases bring places close to each other
/// in space that are far apart in the tissue, and ligaments that saw the pose would let skin slide across.
/// They pull the skin on the body as it lies now. States must be of the type SkinConfiguration.
class LigamentTerm final : public Term {
 public:
  /// The ligaments must outlive the term.
  LigamentTerm(const LigamentEnergy& ligaments, const SlideSurface& at_rest);

  /// Other limits than those of the ligaments, one for each, as skin flows past that has its own [m]:
  /// lengths count in shares of the limit.
  void set_limits(const std::vector<double>& limits);

  std::vector<std::vector<VertexId>> stencils() const override;
  double energy(std::size_t stencil, const TermState& state) const override;
  void add_derivatives(std::size_t stencil, const TermState& state, StencilJet& jet) const override;

 private:
  const LigamentEnergy& ligaments_;
  std::vector<Vec3> homes_;      ///< one per ligament [m]
  std::vector<double> lengths_;  ///< factor on the length of each: its own limit over the one that counts

  Vec3 stretched(std::size_t ligament, const Vec3& position) const;
};

}  // namespace cutis
