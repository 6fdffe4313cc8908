#pragma once

#include <vector>

#include "cutis/energy/membrane_term.h"
#include "cutis/energy/slide_rate_term.h"
#include "cutis/energy/spring_term.h"
#include "cutis/skin/problem/inversion_barrier_term.h"
#include "cutis/skin/problem/ligament_term.h"

namespace cutis {

/// All energies of the skin.
struct SkinTerms {
  MembraneTerm membrane;
  InversionBarrierTerm inversion_barrier;
  LigamentTerm ligaments;
  SlideRateTerm slide_rate;
  SpringTerm null_space;  ///< regularisation

  /// In the order in which they are summed.
  std::vector<const Term*> all() const {
    return {&membrane, &inversion_barrier, &ligaments, &slide_rate, &null_space};
  }
};

}  // namespace cutis
