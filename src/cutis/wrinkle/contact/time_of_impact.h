#pragma once

#include "cutis/wrinkle/contact/contact_distance.h"

namespace cutis {

/// What four points, a pair, meet on their steps.
struct PairSweep {
  /// How much of the steps, 0 to 1, they can go along together without touching. Never more than the true
  /// time, and where they would touch, a tenth of their distance is left. Zero where they touch already and
  /// move against each other.
  double time_of_impact = 1;
  double nearest = 0;  ///< the pair comes no nearer anywhere on the whole steps [m]
};

/// Additive continuous collision detection (Li et al. 2021, Codimensional Incremental Potential Contact, Alg.
/// 1).
PairSweep sweep_pair(ContactKind kind, const ContactPoints& points, const ContactPoints& steps);

}  // namespace cutis
