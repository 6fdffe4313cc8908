#include "cutis/slide/none.h"

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/triangle_mesh.h"

namespace cutis {

NoSlide::NoSlide(const Body& body) : body_(body), positions_(body.source().positions) {}

StepReport NoSlide::advance(double time) {
  positions_ = body_.source_positions(time);
  return {};
}

const SurfaceMap* NoSlide::map() const {
  if (map_) return map_.get();
  const auto surface = std::make_shared<const Surface>(triangulated(body_.mesh()).mesh);
  for (VertexId v : ids<VertexId>(surface->mesh().vertex_count()))
    if (!surface->topology().halfedge(v).valid())
      throw InputError(
          fmt::format("vertex {} has no face, so there is no map of the skin on the body; remove it, or do "
                      "without output.storage = \"map\" and the field \"slide\"",
                      body_.weld().representative[v].value));
  map_ = std::make_unique<const SurfaceMap>(SurfaceMap::identity(surface));
  return map_.get();
}

}  // namespace cutis
