#pragma once

#include <vector>

#include "cutis/skin/force_density/net_equilibrium.h"
#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// Finds places of the plane in the triangles of a layout.
class LayoutLocator {
 public:
  /// Both must outlive it.
  LayoutLocator(const Mesh& triangles, const Topology& topology);

  /// For each target the triangle it lies in, and where in it: walks from result[i].face (the one of the
  /// frame before, say) over the edges the target lies beyond. Where a walk ends at a border or goes in
  /// circles, the whole layout is searched; a target outside of it goes to the nearest point. In parallel;
  /// for the same starts the same bits.
  void locate(const Layout& layout, const Layout& targets, IdVector<VertexId, SurfacePoint>& result) const;

 private:
  const Mesh& mesh_;
  const Topology& topology_;

  bool walk(const Layout& layout, const Vec2& target, SurfacePoint& point) const;
};

}  // namespace cutis
