#pragma once

#include <vector>

#include "cutis/body/cast/cast.h"

namespace cutis {

/// The members of the cast that are grown from blended capsules and ellipsoids.
const std::vector<CastMember>& organic_cast();

}  // namespace cutis
