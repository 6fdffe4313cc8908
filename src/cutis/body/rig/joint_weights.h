#pragma once

#include <array>
#include <vector>

#include "cutis/body/rig/skeleton.h"

namespace cutis {

/// How much of each vertex of the source moves with a joint of the skeleton.
std::vector<double> joint_weights(const Skeleton& skeleton, std::size_t joint);

/// Adds a vertex that lies between three others: their influences, in the shares that `barycentric` says.
void add_between(const Influences& from, const std::array<SourceVertexId, 3>& corners,
                 const Vec3& barycentric, Influences& to);

}  // namespace cutis
