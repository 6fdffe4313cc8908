#pragma once

#include "cutis/flesh/flesh_options.h"
#include "cutis/shot/settings/skin_settings.h"

namespace cutis {

/// What [flesh] and [scene] say of the flesh of the character's own body. Throws InputError with the place in
/// the shot.
FleshOptions flesh_options(const SkinSettings& settings);

}  // namespace cutis
