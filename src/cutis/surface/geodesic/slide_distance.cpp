#include "cutis/surface/geodesic/slide_distance.h"

#include <utility>

#include <tbb/enumerable_thread_specific.h>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/geodesic.h"

namespace cutis {

SlideDistance::SlideDistance(SurfaceMap::SurfacePtr surface)
    : surface_(std::move(surface)), metric_(surface_->topology(), surface_->positions()) {}

IdVector<VertexId, double> SlideDistance::operator()(const SurfaceMap& map) const {
  assert(map.from()->mesh().corners == surface_->mesh().corners &&
         map.to()->mesh().corners == surface_->mesh().corners);
  IdVector<VertexId, double> distances(map.points().size(), 0.0);
  tbb::enumerable_thread_specific<Geodesics> scratch([this] { return Geodesics(metric_); });
  parallel_for(distances.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!surface_->topology().halfedge(v).valid()) return;
    const SurfacePoint home = surface_->point(v);
    // Most of a skin often stays where it is: no search for those.
    if (surface_->position(map[v]) == surface_->position(home)) return;
    distances[v] = scratch.local().between(home, map[v]).distance;
  });
  return distances;
}

}  // namespace cutis
