#pragma once

#include "cutis/body/body.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Throws InputError when a vertex of the body has no face, so that no map can say where its skin lies.
/// `topology` is that of the body's triangles.
void check_mappable(const Body& body, const Topology& topology);

}  // namespace cutis
