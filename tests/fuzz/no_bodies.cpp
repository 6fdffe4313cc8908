// Results that store maps open the body they lie on, and bodies are of all kinds. The target for results
// stores positions, so here no body is ever opened, and none is compiled.
#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"
#include "cutis/skin/skin_placement.h"

namespace cutis {

std::unique_ptr<Body> open_body(const BodySection&) { throw InputError("there are no bodies here"); }

SkinPlacement::SkinPlacement(const Body& body, SlidesOn) : body_(body) {
  throw InputError("there are no bodies here");
}
SourcePoints SkinPlacement::operator()(const SourcePoints& now, const SurfaceMap::Points&) { return now; }

}  // namespace cutis
