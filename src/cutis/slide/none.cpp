#include "cutis/slide/none.h"

namespace cutis {

NoSlide::NoSlide(const Body& body) : body_(body), positions_(body.source().positions) {}

StepReport NoSlide::advance(double time) {
  positions_ = body_.source_positions(time);
  return {};
}

}  // namespace cutis
