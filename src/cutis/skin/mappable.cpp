#include "cutis/skin/mappable.h"

namespace cutis {

std::optional<VertexId> unmappable_vertex(const Surface& surface) {
  for (VertexId v : ids<VertexId>(surface.mesh().vertex_count()))
    if (!surface.topology().halfedge(v).valid()) return v;
  return std::nullopt;
}

std::optional<SurfaceMap> skin_map(const std::shared_ptr<const Surface>& surface,
                                   const SurfaceMap::Points& points) {
  if (unmappable_vertex(*surface)) return std::nullopt;
  return SurfaceMap(surface, surface, points);
}

}  // namespace cutis
