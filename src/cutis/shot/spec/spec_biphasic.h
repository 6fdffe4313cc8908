#pragma once

#include <string>

#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

/// The keys of a stiff phase that skin and flesh have alike; `young` names the modulus of the soft one.
template <class S>
void declare_stiff_phase(SectionBuilder<S>& s, const std::string& young) {
  s.key("biphasic_young", KeyType::Quantity, &S::biphasic_young, Dimension::Pressure)
      .doc("Young's modulus of the stiff phase; it scales with a painted young.")
      .otherwise("10 times " + young)
      .above(0)
      .example("\"300 kPa\"");
  s.key("biphasic_start", KeyType::Number, &S::biphasic_start)
      .doc("The deformation, as largest |ln stretch|, at which stiffening begins.")
      .standard("0.1")
      .from(0)
      .to(10)
      .example("0.15");
  s.key("biphasic_end", KeyType::Number, &S::biphasic_end)
      .doc("The deformation at which the stiff phase is reached.")
      .standard("0.3")
      .above(0)
      .to(10)
      .example("0.4");
}

}  // namespace cutis
