#include "cutis/skin/none.h"

#include "cutis/skin/mappable.h"

namespace cutis {

NoSlide::NoSlide(const Body& body) : body_(body), positions_(body.source().positions) {}

StepReport NoSlide::advance(double time) {
  positions_ = body_.source_positions(time);
  return {};
}

SkinState NoSlide::skin() const {
  SkinState state;
  if (!unmappable_vertex(*body_.surface())) state.map = SurfaceMap::identity(body_.surface());
  return state;
}

}  // namespace cutis
