// Results that store maps open the body they lie on, and bodies are of all kinds. The target for results
// stores positions, so here no body is ever opened, and none is compiled.
#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

std::unique_ptr<Body> open_body(const BodySection&) { throw InputError("there are no bodies here"); }

SlideSurface::SlideSurface(const Body&, SlidesOn) { throw InputError("there are no bodies here"); }
void SlideSurface::update(const Points&) {}
SourcePoints SlideSurface::place(const SourcePoints& body, const Weld&, const SkinPoints&) const {
  return body;
}

}  // namespace cutis
