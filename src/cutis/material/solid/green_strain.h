#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// E = (FᵀF - I) / 2
inline Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

}  // namespace cutis
