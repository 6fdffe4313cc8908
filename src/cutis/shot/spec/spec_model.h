#pragma once

#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

/// The elastic laws that skin and its layers have alike.
template <class S>
KeyBuilder declare_model(SectionBuilder<S>& s) {
  return s.choice("model", &S::model,
                  {{"st_venant_kirchhoff", MaterialModel::StVenantKirchhoff},
                   {"neo_hookean", MaterialModel::NeoHookean},
                   {"stable_neo_hookean", MaterialModel::StableNeoHookean},
                   {"fung", MaterialModel::Fung}});
}

}  // namespace cutis
