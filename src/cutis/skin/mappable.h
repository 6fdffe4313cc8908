#pragma once

#include <optional>

#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// The first vertex that has no face, so that no map can say where its skin lies.
std::optional<VertexId> unmappable_vertex(const Surface& surface);

/// The map that takes each vertex of the skin to its point; nothing where a vertex cannot be mapped.
std::optional<SurfaceMap> skin_map(const std::shared_ptr<const Surface>& surface,
                                   const SurfaceMap::Points& points);

}  // namespace cutis
