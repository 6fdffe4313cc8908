// Results that store maps put their skin on a body, and bodies are of all kinds. The target for results
// stops before that, so here nothing is ever put on one, and no surface to slide on is compiled. Shots name
// methods, whose slides are not made either.
#include "cutis/core/error.h"
#include "cutis/shot/slide_factories.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

SlideSurface::SlideSurface(const Body&, SlidesOn, const std::vector<FaceId>&) {
  throw InputError("there are no bodies here");
}
void SlideSurface::update(const Points&) {}
SourcePoints SlideSurface::place(const SourcePoints& body, const Weld&, const SkinPoints&) const {
  return body;
}

std::unique_ptr<Slide> no_slide(const SkinSettings&, const Body&) { return nullptr; }
std::unique_ptr<Slide> force_density_slide(const SkinSettings&, const Body&) { return nullptr; }
std::unique_ptr<Slide> eulerian_slide(const SkinSettings&, const Body&) { return nullptr; }
std::unique_ptr<Slide> lagrangian_slide(const SkinSettings&, const Body&) { return nullptr; }
std::unique_ptr<Slide> tracked_slide(const SkinSettings&, const Body&) { return nullptr; }

}  // namespace cutis
