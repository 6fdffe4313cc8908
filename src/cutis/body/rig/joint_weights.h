#pragma once

#include <vector>

#include "cutis/body/rig/skeleton.h"

namespace cutis {

/// How much of each vertex of the source moves with a joint of the skeleton.
std::vector<double> joint_weights(const Skeleton& skeleton, std::size_t joint);

}  // namespace cutis
