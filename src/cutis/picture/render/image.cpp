#include "cutis/picture/render/image.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

unsigned char quantise(float encoded) {
  return static_cast<unsigned char>(std::lround(255 * std::clamp(encoded, 0.0f, 1.0f)));
}

/// The distance of p from the segment a-b.
double segment_distance(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0;
  return (p - a - t * along).norm();
}

}  // namespace

// IEC 61966-2-1.
float encode_srgb(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float decode_srgb(float encoded) {
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Color srgb(std::uint32_t hex) {
  const auto channel = [hex](int shift) { return decode_srgb(float(hex >> shift & 255u) / 255); };
  return {channel(16), channel(8), channel(0)};
}

void store(unsigned char* pixel, const Color& color) {
  for (int c = 0; c < 3; ++c) pixel[c] = quantise(encode_srgb(color[c]));
}

Image blank(int width, int height, const Color& color) {
  Image image(width, height);
  fill(image, 0, 0, width, height, color);
  return image;
}

void paste(Image& onto, const Image& source, int x, int y) {
  const int left = std::max(0, -x), right = std::min(source.width, onto.width - x);
  if (left >= right) return;
  for (int row = std::max(0, -y); row < std::min(source.height, onto.height - y); ++row)
    std::copy(source.pixel(left, row), source.pixel(left, row) + 3 * (right - left),
              onto.pixel(x + left, y + row));
}

void blend(Image& image, int x, int y, const Color& color, float alpha) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || alpha <= 0) return;
  unsigned char* pixel = image.pixel(x, y);
  for (int c = 0; c < 3; ++c) {
    const float below = float(pixel[c]) / 255;
    pixel[c] = quantise(below + std::min(alpha, 1.0f) * (encode_srgb(color[c]) - below));
  }
}

void fill(Image& image, int x, int y, int width, int height, const Color& color) {
  unsigned char pixel[3];
  store(pixel, color);
  for (int row = std::max(y, 0); row < std::min(y + height, image.height); ++row)
    for (int column = std::max(x, 0); column < std::min(x + width, image.width); ++column)
      std::copy_n(pixel, 3, image.pixel(column, row));
}

void draw_line(Image& image, const Vec2& a, const Vec2& b, double width, const Color& color, float alpha) {
  const double reach = width / 2 + 1;
  const Vec2 low = a.cwiseMin(b), high = a.cwiseMax(b);
  const int left = std::max(0, static_cast<int>(std::floor(std::max(low.x() - reach, -1.0))));
  const int top = std::max(0, static_cast<int>(std::floor(std::max(low.y() - reach, -1.0))));
  const int right = static_cast<int>(std::ceil(std::min(high.x() + reach, double(image.width))));
  const int bottom = static_cast<int>(std::ceil(std::min(high.y() + reach, double(image.height))));
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const double d = segment_distance(Vec2(x + 0.5, y + 0.5), a, b);
      // Coverage of a pixel by the line's edge, as if it crossed the pixel straight.
      const double coverage = std::clamp(width / 2 + 0.5 - d, 0.0, std::min(1.0, width));
      blend(image, x, y, color, alpha * static_cast<float>(coverage));
    }
}

}  // namespace cutis
