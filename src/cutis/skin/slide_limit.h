#pragma once

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// `p`, where vertex v of the skin lies on the body at rest, `chord` away from home as limits measure it, or
/// the point that is about as far as `limit` allows [m]. The way back is found at rest, where the walls of a
/// crease are apart, and from home, on the vertex's own sheet.
SurfacePoint held_within(const Surface& rest, VertexId v, const SurfacePoint& p, double chord, double limit);

}  // namespace cutis
