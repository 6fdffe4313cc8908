#include "cutis/shot/settings/layer_map.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/surface/field/uv_map.h"

namespace cutis {
namespace {

constexpr double kMidGrey = 128.0 / 255;
/// Painting programs write mid-grey as 127 or 128.
constexpr double kGreyStep = 1.0 / 255;

enum LayerChannel { WavelengthChannel, YoungChannel, ThicknessChannel };

void check_finite(const FloatImage& image, const std::string& place, const std::string& name) {
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int k = 0; k < 3; ++k)
        if (!std::isfinite(image.pixel(x, y)[k]))
          throw InputError(fmt::format("{}: {} is not finite at column {}, row {}", place, name, x, y));
}

bool is_grey(const FloatImage& image, int channel) {
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (std::abs(image.pixel(x, y)[channel] - kMidGrey) > kGreyStep) return false;
  return true;
}

}  // namespace

LayerMap::LayerMap(const std::filesystem::path& image, const Body& body, const std::string& place)
    : body_(body), image_(read_uv_image(image, body.source(), place)), relative_(!is_exr(image)) {
  if (image_.channels < 3)
    throw InputError(fmt::format(
        "{}: {} has no colours; red is the wavelength, green Young's modulus and blue the thickness", place,
        image.string()));
  check_finite(image_, place, image.string());
  if (relative_) paints_wavelength_ = !is_grey(image_, WavelengthChannel);
}

LayerProperties LayerMap::operator()(const LayerProperties& reference, const SurfacePoint& p) const {
  const Mesh& triangles = body_.triangles().mesh;
  Vec2 uv = Vec2::Zero();
  for (int k = 0; k < 3; ++k) uv += p.barycentric[k] * triangles.uvs[CornerId(3 * p.face.index() + at(k))];
  const auto painted = [&](LayerChannel channel, double usual) {
    const double value = sample_uv_map(image_, uv, channel);
    if (relative_) return usual * std::pow(4, 2 * (value - kMidGrey));
    return value > 0 ? value : usual;
  };
  LayerProperties properties;
  properties.young = painted(YoungChannel, reference.young);
  properties.thickness = painted(ThicknessChannel, reference.thickness);
  properties.wavelength =
      paints_wavelength_ ? painted(WavelengthChannel, reference.wavelength) : reference.wavelength;
  return properties;
}

}  // namespace cutis
