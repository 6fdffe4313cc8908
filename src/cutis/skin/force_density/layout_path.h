#pragma once

#include <limits>

#include "cutis/skin/force_density/net_equilibrium.h"
#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

struct LayoutPath {
  SurfacePoint end;
  double length = 0;  ///< of the way over the surface [m]
};

/// The way from a vertex straight towards a place of the layout, measured on the surface itself: it ends
/// there, at a border, or when it is `longest` [m].
LayoutPath walk_layout(const Mesh& triangles, const Topology& topology, const Layout& layout, VertexId from,
                       const Vec2& target, double longest = std::numeric_limits<double>::infinity());

}  // namespace cutis
