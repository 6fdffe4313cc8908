#pragma once

#include <memory>

#include "cutis/shot/settings/skin_settings.h"
#include "cutis/skin/slide.h"

namespace cutis {

/// How each method makes its slide from what a shot says, on the body that the skin is solved on (the
/// character's own, or its simulation mesh), which must outlive the slide. They throw InputError with the
/// place in the shot when a setting does not fit the body.
std::unique_ptr<Slide> no_slide(const SkinSettings& settings, const Body& solved);
std::unique_ptr<Slide> force_density_slide(const SkinSettings& settings, const Body& solved);
std::unique_ptr<Slide> eulerian_slide(const SkinSettings& settings, const Body& solved);
std::unique_ptr<Slide> lagrangian_slide(const SkinSettings& settings, const Body& solved);
std::unique_ptr<Slide> tracked_slide(const SkinSettings& settings, const Body& solved);

}  // namespace cutis
