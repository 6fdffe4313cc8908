#include "cutis/skin/lagrangian/lagrangian_problem.h"

#include <cmath>
#include <utility>

namespace cutis {

LagrangianProblem::LagrangianProblem(const SlideSurface& surface, const SkinConstraints& constraints,
                                     const SkinUnknowns& unknowns, const LigamentEnergy& ligaments_of_skin,
                                     IdVector<VertexId, double> areas, double stiffness)
    : SkinTerms{MembraneTerm(unknowns.elements, unknowns.corners),
                InversionBarrierTerm(surface, unknowns, stiffness), LigamentTerm(ligaments_of_skin, surface),
                SlideRateTerm(std::move(areas), stiffness), SpringTerm(unknowns.block.size())},
      SkinProblem(surface, constraints, unknowns, all(), stiffness) {}

double LagrangianProblem::start(const Points& body, const MembraneEnergy& of_skin, SkinPoints points) {
  membrane.set_membrane(of_skin);
  return start(body, std::move(points));
}

/// Nothing resists skin where it is carried: the energy is the same with drag as without.
double LagrangianProblem::start_step(const Points& body, const MembraneEnergy& of_skin, SkinPoints carried,
                                     double dt, double drag, double reach) {
  slide_rate.clear();
  start(body, of_skin, std::move(carried));
  if (dt > 0 && (drag > 0 || std::isfinite(reach))) slide_rate.set_step(positions(), dt, drag, reach);
  return energy();
}

void LagrangianProblem::regularise_null_space(Points places, IdVector<VertexId, double> weights) {
  null_space.set_springs(std::move(places), std::move(weights));
}

}  // namespace cutis
