#pragma once

#include <memory>

#include "cutis/body/subdivided_body.h"
#include "cutis/shot/settings/skin_settings.h"
#include "cutis/skin/slide.h"
#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// The slide that a shot asks for, or its flesh, on its body, which must outlive it. Throws InputError with
/// the place in the shot when a setting does not fit the body.
std::unique_ptr<Slide> make_slide(const SkinSettings& settings);

/// The layers of skin that wrinkle on its body, on the finer mesh of `shown` (wrinkled_body()), which has the
/// `regions` (wrinkled_regions()); the body and `shown` must outlive them. Throws InputError with the place
/// in the shot when they do not fit the body.
std::unique_ptr<Slide> make_wrinkles(const SkinSettings& settings, WrinkleOptions options,
                                     const SubdividedBody& shown, const std::vector<Region>& regions);

}  // namespace cutis
