#pragma once

#include <memory>

#include "cutis/surface/geodesic/geodesic_metric.h"
#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// How far skin has slid: the length of the shortest way over the surface at rest from a vertex to the point
/// that the map takes it to, exact on the surface's flat faces.
class SlideDistance {
 public:
  /// For maps from this surface to itself, or to a copy with the same vertices and faces.
  explicit SlideDistance(SurfaceMap::SurfacePtr surface);

  /// One per vertex [m]; zero for a vertex without faces, infinite where no way leads to the point.
  IdVector<VertexId, double> operator()(const SurfaceMap& map) const;

 private:
  SurfaceMap::SurfacePtr surface_;
  GeodesicMetric metric_;
};

}  // namespace cutis
