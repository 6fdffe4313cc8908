#include "cutis/picture/render/texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cutis/core/error.h"

namespace cutis {
namespace {

int wrapped(double x, int n) {
  const double r = x - std::floor(x / n) * n;
  return std::min(static_cast<int>(r), n - 1);
}

/// The mean over [x - w/2, x + w/2] of a wave that is +1 on even and -1 on odd unit cells.
double filtered_wave(double x, double w) {
  // Its integral is a triangle wave; a floor on the width keeps the difference well conditioned.
  const auto integral = [](double t) { return 1 - std::abs(t - 2 * std::floor(t / 2) - 1); };
  const double width = std::max(w, 1e-6);
  return (integral(x + width / 2) - integral(x - width / 2)) / width;
}

/// Pleasant even hues around the colour circle.
Color hue_color(double turn) {
  static constexpr std::array<std::uint32_t, 8> kHues{0xe4572e, 0xf0a202, 0x9bc53d, 0x2a9d8f,
                                                      0x1b98e0, 0x4361ee, 0x8e44ad, 0xd6336c};
  static const auto colors = [] {
    std::array<Color, 8> out;
    for (std::size_t i = 0; i < 8; ++i) out[i] = srgb(kHues[i]);
    return out;
  }();
  const double place = (turn - std::floor(turn)) * 8;
  const auto i = static_cast<std::size_t>(place) % 8;
  return colors[i] + (colors[(i + 1) % 8] - colors[i]) * float(place - std::floor(place));
}

}  // namespace

Texture::Texture(const Raster& image, Values values) {
  if (image.empty()) throw InputError("an empty image cannot be a texture");
  std::array<float, 256> decode;
  for (std::size_t i = 0; i < 256; ++i)
    decode[i] = values == Values::Colors ? decode_srgb(float(i) / 255) : float(i) / 255;
  Level base{image.width, image.height, {}};
  base.texels.reserve(std::size_t(image.width) * std::size_t(image.height));
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const unsigned char* p = image.pixel(x, y);
      base.texels.emplace_back(decode[p[0]], decode[p[1]], decode[p[2]]);
    }
  levels_.push_back(std::move(base));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& fine = levels_.back();
    Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}};
    for (int y = 0; y < coarse.height; ++y)
      for (int x = 0; x < coarse.width; ++x) {
        const int x1 = std::min(2 * x + 1, fine.width - 1), y1 = std::min(2 * y + 1, fine.height - 1);
        const auto at = [&](int i, int j) {
          return fine.texels[std::size_t(j) * std::size_t(fine.width) + std::size_t(i)];
        };
        coarse.texels.push_back((at(2 * x, 2 * y) + at(x1, 2 * y) + at(2 * x, y1) + at(x1, y1)) / 4);
      }
    levels_.push_back(std::move(coarse));
  }
}

Color Texture::sample(const Vec2& uv, double footprint) const {
  if (!uv.allFinite()) return Color(0.5f, 0.5f, 0.5f);
  const Vec2 place_in_tile = uv.array() - uv.array().floor();
  const auto bilinear = [&](const Level& level) -> Color {
    const double x = place_in_tile.x() * level.width - 0.5;
    const double y = (1 - place_in_tile.y()) * level.height - 0.5;
    const double fx = std::floor(x), fy = std::floor(y);
    const auto at = [&](double i, double j) {
      return level.texels[std::size_t(wrapped(j, level.height)) * std::size_t(level.width) +
                          std::size_t(wrapped(i, level.width))];
    };
    const float sx = float(x - fx), sy = float(y - fy);
    return (at(fx, fy) * (1 - sx) + at(fx + 1, fy) * sx) * (1 - sy) +
           (at(fx, fy + 1) * (1 - sx) + at(fx + 1, fy + 1) * sx) * sy;
  };
  const double texels = footprint * std::max(levels_[0].width, levels_[0].height);
  const double place = std::clamp(std::log2(std::max(texels, 1.0)), 0.0, double(levels_.size() - 1));
  const auto lower = static_cast<std::size_t>(place);
  const auto upper = std::min(lower + 1, levels_.size() - 1);
  const float s = float(place - double(lower));
  return bilinear(levels_[lower]) * (1 - s) + bilinear(levels_[upper]) * s;
}

Color checker_color(const Vec2& uv, double footprint, int cells) {
  cells = std::max(cells, 1);
  const Vec2 x = uv * cells;
  if (!x.allFinite()) return Color(0.5f, 0.5f, 0.5f);
  const double wave = filtered_wave(x.x(), footprint * cells) * filtered_wave(x.y(), footprint * cells);
  const auto dark = static_cast<float>(0.5 - 0.5 * wave);
  // The hue is constant within a cell and wanders slowly over the chart: neighbours are kin, far cells
  // strangers.
  const double cu = (std::floor(x.x()) + 0.5) / cells, cv = (std::floor(x.y()) + 0.5) / cells;
  const Color tint = hue_color(0.9 * cu + 0.55 * cv + 0.12 * std::sin(2 * std::numbers::pi * (cu - cv)));
  const Color light = Color(0.70f, 0.685f, 0.66f) * 0.84f + tint * 0.16f;
  const Color deep = tint * 0.72f + Color(0.02f, 0.02f, 0.025f);
  return light + (deep - light) * dark;
}

}  // namespace cutis
