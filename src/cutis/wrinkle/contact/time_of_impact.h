#pragma once

#include "cutis/wrinkle/contact/contact_distance.h"

namespace cutis {

/// How much of the steps, 0 to 1, four points can go along together without their pair touching: additive
/// continuous collision detection (Li et al. 2021, Codimensional Incremental Potential Contact, Alg. 1).
/// Never more than the true time, and where the pair would touch, a tenth of its distance is left. Zero where
/// it touches already.
double time_of_impact(ContactKind kind, const ContactPoints& points, const ContactPoints& steps);

/// The same with a bound on the way, for one distance that is measured.
struct PairSweep {
  double time_of_impact = 1;
  double nearest = 0;  ///< the pair comes no nearer anywhere on the whole steps [m]
};
PairSweep sweep_pair(ContactKind kind, const ContactPoints& points, const ContactPoints& steps);

}  // namespace cutis
