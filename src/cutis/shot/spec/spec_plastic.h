#pragma once

#include <string>

#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

/// The keys of plastic flow that skin and flesh have alike; `what` gives way.
template <class S>
void declare_plastic_flow(SectionBuilder<S>& s, const std::string& what) {
  s.key("plastic_yield", KeyType::Number, &S::plastic_yield)
      .doc("The deformation, as largest |ln stretch|, beyond which " + what + " gives way and keeps a dent.")
      .otherwise("it does not")
      .from(0)
      .to(10)
      .example("0.3");
  s.key("plastic_rate", KeyType::Quantity, &S::plastic_rate, Dimension::Rate)
      .doc("How fast: which share of what is beyond gives way in a second, at first.")
      .standard("\"1 1/s\"")
      .from(0)
      .example("\"5 1/s\"");
}

}  // namespace cutis
