#pragma once

#include <vector>

#include "cutis/body/cast/cast.h"

namespace cutis {

/// The members of the cast that have simple shapes: sheet, bump, patch, sphere, cylinder, torus.
const std::vector<CastMember>& geometric_cast();

}  // namespace cutis
