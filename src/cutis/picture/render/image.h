#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "cutis/core/types.h"
#include "cutis/io/image/raster.h"

namespace cutis {

/// What pictures are made of: 8-bit sRGB, three channels.
using Image = Raster;

/// Red, green, blue in linear light; 1 is the paper's white.
using Color = Eigen::Array3f;

/// From sRGB as designers write it: 0xRRGGBB.
Color srgb(std::uint32_t hex);
/// One channel, linear light in [0, 1] to the sRGB curve in [0, 1] and back.
float encode_srgb(float linear);
float decode_srgb(float encoded);
/// Clamps, encodes and rounds into a pixel.
void store(unsigned char* pixel, const Color& color);

Image blank(int width, int height, const Color& color);
/// Copies `source` with its top left corner at (x, y); what falls outside is cut.
void paste(Image& onto, const Image& source, int x, int y);
/// Mixes `color` over a pixel with weight `alpha` in the encoded values, which is what makes small text even.
/// Outside the image it does nothing.
void blend(Image& image, int x, int y, const Color& color, float alpha);
void fill(Image& image, int x, int y, int width, int height, const Color& color);
/// An anti-aliased straight line, in pixels; pixel centres lie at halves.
void draw_line(Image& image, const Vec2& a, const Vec2& b, double width, const Color& color, float alpha = 1);

}  // namespace cutis
