#pragma once

#include "cutis/shot/settings/skin_settings.h"
#include "cutis/skin/force_density/force_density_options.h"

namespace cutis {

/// What a shot says to the force density method, on the body that the skin is solved on (the character's own,
/// or its simulation mesh). Throws InputError with the place in the shot when a setting does not fit the
/// body.
ForceDensityOptions force_density_options(const SkinSettings& settings, const Body& solved);

}  // namespace cutis
