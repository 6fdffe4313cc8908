#pragma once

#include "cutis/skin/lagrangian/skin_terms.h"
#include "cutis/skin/problem/skin_problem.h"

namespace cutis {

/// The energy of skin on a body that holds still: vertices of the skin slide over the body.
class LagrangianProblem final : private SkinTerms, public SkinProblem {
 public:
  /// As for SkinProblem. `areas` are those of vertices that drag and the highest speed act on, at rest [m²].
  LagrangianProblem(const SlideSurface& surface, const SkinConstraints& constraints,
                    const SkinUnknowns& unknowns, const LigamentEnergy& ligaments,
                    IdVector<VertexId, double> areas, double stiffness);

  using SkinProblem::start;
  /// Puts skin with this elasticity on the body as it lies now, whose vertices are `body` (the surface has
  /// been updated); returns the energy, infinite where the map would be folded.
  double start(const Points& body, const MembraneEnergy& membrane, SkinPoints points);
  /// As above, at the beginning of a step of `dt` [s] that has brought the body to where it lies now: skin
  /// that it has carried to `carried` is dragged [Pa s/m] from now on and gets no further than `reach` [m]
  /// from there. Without a time step: nothing.
  double start_step(const Points& body, const MembraneEnergy& membrane, SkinPoints carried, double dt,
                    double drag, double reach);

  /// For skin that nothing holds: springs without length to where it was, one weight per vertex [N/m], from
  /// the next start() on. Empty: none.
  void regularise_null_space(Points places, IdVector<VertexId, double> weights);
  /// Of one triangle: `i` counts the unknowns' elements [J].
  double inversion_barrier_energy(std::size_t i) const { return inversion_barrier.energy(i, state()); }
};

}  // namespace cutis
