#pragma once

#include <filesystem>
#include <string>

#include "cutis/body/body.h"
#include "cutis/core/float_image.h"
#include "cutis/surface/map/surface_point.h"
#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// What is painted on a layer of skin, in the channels of Li 2014, section 5.2: red the wavelength, green
/// Young's modulus, blue the thickness. A PNG holds factors of a reference, 4^(2 (value - 128/255)): from a
/// quarter to four times. An EXR holds SI values; what is not above 0 is the reference's.
class LayerMap {
 public:
  /// The body must outlive it; `place` begins the messages. Throws InputError when the image is damaged, has
  /// not got three channels or holds what is no number, or when the body has no texture coordinates.
  LayerMap(const std::filesystem::path& image, const Body& body, const std::string& place);

  /// Whether it holds factors of the reference's wavelength. A PNG whose red is mid-grey everywhere says
  /// nothing of wavelengths.
  bool scales_wavelength() const { return relative_ && paints_wavelength_; }
  /// At a point of body.triangles(), bilinear between pixels, for PNGs before they become factors.
  /// Thread-safe.
  LayerProperties operator()(const LayerProperties& reference, const SurfacePoint& p) const;

 private:
  const Body& body_;
  FloatImage image_;
  bool relative_;
  bool paints_wavelength_ = true;
};

}  // namespace cutis
