#pragma once

#include <memory>

#include "cutis/shot/regions.h"
#include "cutis/slide/slide.h"

namespace cutis {

/// The slide that the shot asks for, on its body, which must outlive it. Throws InputError with the place in
/// the shot when a setting does not fit the body.
std::unique_ptr<Slide> make_slide(const Shot& shot, const Body& body, const std::vector<Region>& regions);

}  // namespace cutis
