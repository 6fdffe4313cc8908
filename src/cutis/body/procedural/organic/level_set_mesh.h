#pragma once

#include <functional>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// The surface where `distance` [m] is zero, as quads facing outwards (towards positive distances), with
/// edges of about `edge` [m]. Only the box from low to high is looked at, and `distance` may be called from
/// several threads. The mesh is as the contouring leaves it: Topology decides whether it is manifold.
Mesh level_set_mesh(const std::function<double(const Vec3&)>& distance, const Vec3& low, const Vec3& high,
                    double edge);

}  // namespace cutis
