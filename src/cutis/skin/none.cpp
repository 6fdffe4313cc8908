#include "cutis/skin/none.h"

#include "cutis/skin/mappable.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

NoSlide::NoSlide(const Body& body) : body_(body), positions_(body.source().positions) {}

StepReport NoSlide::advance(double time) {
  positions_ = body_.source_positions(time);
  return {};
}

const SurfaceMap* NoSlide::map() const {
  if (map_) return map_.get();
  const auto surface = std::make_shared<const Surface>(triangulated(body_.mesh()).mesh);
  check_mappable(body_, surface->topology());
  map_ = std::make_unique<const SurfaceMap>(SurfaceMap::identity(surface));
  return map_.get();
}

}  // namespace cutis
