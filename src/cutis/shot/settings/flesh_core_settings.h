#pragma once

#include "cutis/flesh/flesh_options.h"
#include "cutis/shot/settings/skin_settings.h"

namespace cutis {

/// Gives the options what flesh.core says of the core: bones, the part of the surface that is held, springs.
/// Throws InputError with the place in the shot when the bones cannot be read.
void set_flesh_core(const SkinSettings& settings, FleshOptions& options);

/// Whether the core begins at the depth of the soft tissue.
bool core_by_depth(const Shot& shot);

}  // namespace cutis
