#pragma once

#include <memory>

#include "cutis/shot/settings/skin_settings.h"
#include "cutis/skin/slide.h"

namespace cutis {

/// The slide that a shot asks for, or its flesh, on its body, which must outlive it. Throws InputError with the place in
/// the shot when a setting does not fit the body.
std::unique_ptr<Slide> make_slide(const SkinSettings& settings);

}  // namespace cutis
