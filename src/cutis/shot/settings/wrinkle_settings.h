#pragma once

#include <memory>

#include "cutis/body/subdivided_body.h"
#include "cutis/shot/settings/skin_settings.h"
#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// What [wrinkle] says of layers on the body of the settings, which must outlive the options. Throws
/// InputError with the place in the shot when a map cannot be used (LayerMap), or when a layer that is as
/// fine as wrinkle.edge asks for over the whole region would have more than wrinkle.max_vertices. On a smooth
/// surface the region has all faces of which a part is in it.
WrinkleOptions wrinkle_options(const SkinSettings& settings);

/// The body that the result is given on: faces that wrinkle are subdivided wrinkle.output_level times, or
/// until their edges are an eighth of the smallest wavelength that the layers have there, as far as
/// wrinkle.max_vertices allows; log() says which. Throws InputError when the level that the shot asks for has
/// more vertices than that.
std::unique_ptr<SubdividedBody> wrinkled_body(const SkinSettings& settings, const WrinkleOptions& options);

/// The regions of the shot on that body: by the faces of the body below, or, on a smooth surface where these
/// are longer than a wavelength, with their own outline.
std::vector<Region> wrinkled_regions(const SkinSettings& settings, const WrinkleOptions& options,
                                     const SubdividedBody& finer);

/// The options for layers that lie on that body itself.
WrinkleOptions options_on(const SubdividedBody& finer, const SkinSettings& settings,
                          const std::vector<Region>& regions, WrinkleOptions options);

}  // namespace cutis
