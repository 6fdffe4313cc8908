#pragma once

#include "cutis/shot/settings/skin_settings.h"
#include "cutis/skin/tracked/tracked_options.h"

namespace cutis {

/// What a tracked slide of this shot needs. Throws InputError where the shot asks for what cannot be.
TrackedOptions tracked_options(const SkinSettings& settings, const Body& solved);

}  // namespace cutis
