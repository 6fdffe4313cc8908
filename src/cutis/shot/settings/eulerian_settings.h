#pragma once

#include "cutis/shot/settings/skin_settings.h"
#include "cutis/skin/eulerian/eulerian_options.h"

namespace cutis {

/// What an Eulerian slide of this shot needs. Throws InputError where the shot asks for what cannot be.
EulerianOptions eulerian_options(const SkinSettings& settings, const Body& solved);

}  // namespace cutis
