#include "cutis/surface/field/uv_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/triangulate.h"

namespace cutis {
namespace {

/// Twice the signed area of the triangle a, b, c.
double doubled_area(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// Calls f(x, y, barycentrics) with every pixel whose centre lies in the box around a triangle.
template <class F>
void for_each_pixel(const std::array<Vec2, 3>& p, int width, int height, const F& f) {
  const double area = doubled_area(p[0], p[1], p[2]);
  if (!(std::abs(area) > 0) || !std::isfinite(area)) return;
  const auto range = [](double a, double b, double c, int size) {
    return std::pair{
        static_cast<int>(std::clamp(std::ceil(std::min({a, b, c}) - 0.5), 0.0, double(size))),
        static_cast<int>(std::clamp(std::floor(std::max({a, b, c}) - 0.5) + 1, 0.0, double(size)))};
  };
  const auto [left, right] = range(p[0].x(), p[1].x(), p[2].x(), width);
  const auto [top, bottom] = range(p[0].y(), p[1].y(), p[2].y(), height);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const Vec2 at(x + 0.5, y + 0.5);
      f(x, y,
        Vec3(Vec3(doubled_area(at, p[1], p[2]), doubled_area(p[0], at, p[2]), doubled_area(p[0], p[1], at)) /
             area));
    }
}

/// Where the corners of a triangle are in an image.
std::array<Vec2, 3> in_pixels(const SourceMesh& mesh, const TriangleCorners& triangle, int width,
                              int height) {
  std::array<Vec2, 3> place;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec2& uv = mesh.uvs[triangle.corners[i]];
    place[i] = Vec2(uv.x() * width, (1 - uv.y()) * height);
  }
  return place;
}

class Canvas {
 public:
  Canvas(int width, int height, int channels)
      : image_(width, height, channels), covered_(std::size_t(width) * std::size_t(height), false) {}

  /// Corners in pixels (y downwards), with their values one after another.
  void draw(const std::array<Vec2, 3>& p, const std::array<const double*, 3>& values) {
    for_each_pixel(p, image_.width, image_.height, [&](int x, int y, const Vec3& b) {
      if (b.minCoeff() < -1e-9 || covered_[index(x, y)]) return;
      covered_[index(x, y)] = true;
      for (int k = 0; k < image_.channels; ++k)
        image_.pixel(x, y)[k] =
            static_cast<float>(b[0] * values[0][k] + b[1] * values[1][k] + b[2] * values[2][k]);
    });
  }

  void grow() { grow_filled(image_, covered_); }

  FloatImage take() { return std::move(image_); }

 private:
  FloatImage image_;
  std::vector<bool> covered_;

  std::size_t index(int x, int y) const {
    return std::size_t(y) * std::size_t(image_.width) + std::size_t(x);
  }
};

/// Gives a pixel the mean of the filled ones around it; false where there are none. `sum` keeps its room.
bool fill_from_around(FloatImage& image, const std::vector<bool>& filled, int x, int y,
                      std::vector<double>& sum) {
  int count = 0;
  std::fill(sum.begin(), sum.end(), 0);
  for (int j = std::max(y - 1, 0); j <= std::min(y + 1, image.height - 1); ++j)
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, image.width - 1); ++i) {
      if (!filled[std::size_t(j) * std::size_t(image.width) + std::size_t(i)]) continue;
      ++count;
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += image.pixel(i, j)[k];
    }
  for (std::size_t k = 0; k < sum.size() && count > 0; ++k)
    image.pixel(x, y)[k] = static_cast<float>(sum[k] / count);
  return count > 0;
}

int wrapped(double x, int n) {
  const double r = x - std::floor(x / n) * n;
  return std::min(static_cast<int>(r), n - 1);
}

}  // namespace

void grow_filled(FloatImage& image, std::vector<bool>& filled) {
  std::vector<std::size_t> fresh;
  std::vector<double> sum(std::size_t(image.channels));
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::size_t i = std::size_t(y) * std::size_t(image.width) + std::size_t(x);
      if (!filled[i] && fill_from_around(image, filled, x, y, sum)) fresh.push_back(i);
    }
  for (std::size_t i : fresh) filled[i] = true;
}

FloatImage draw_uv_map(const SourceMesh& mesh, std::span<const double> values, int channels, int width,
                       int height, int gutter) {
  constexpr int most = 16384;
  if (!mesh.has_uvs()) throw InputError("the mesh has no texture coordinates to draw a map in");
  if (width < 1 || height < 1 || width > most || height > most)
    throw InputError(fmt::format("a map of {} x {} pixels; 1 to {} each way", width, height, most));
  Canvas canvas(width, height, channels);
  for (const TriangleCorners& triangle : triangulate(mesh)) {
    std::array<const double*, 3> numbers;
    for (std::size_t i = 0; i < 3; ++i)
      numbers[i] = values.data() + triangle.corners[i].index() * std::size_t(channels);
    canvas.draw(in_pixels(mesh, triangle, width, height), numbers);
  }
  for (int i = 0; i < gutter; ++i) canvas.grow();
  return canvas.take();
}

UvOverlap uv_overlap(const SourceMesh& mesh, int width, int height) {
  constexpr double inside = 1e-6;  // of a triangle: neighbours share their edges
  std::vector<FaceId> owner(std::size_t(width) * std::size_t(height));
  std::vector<bool> shared(owner.size(), false);
  UvOverlap overlap;
  std::size_t covered = 0, twice = 0;
  for (const TriangleCorners& triangle : triangulate(mesh))
    for_each_pixel(in_pixels(mesh, triangle, width, height), width, height, [&](int x, int y, const Vec3& b) {
      if (b.minCoeff() < inside) return;
      const std::size_t i = std::size_t(y) * std::size_t(width) + std::size_t(x);
      if (!owner[i].valid()) {
        owner[i] = triangle.face;
        ++covered;
      } else if (owner[i] != triangle.face && !shared[i]) {
        shared[i] = true;
        if (twice++ == 0) overlap = {owner[i], triangle.face, 0};
      }
    });
  if (covered > 0) overlap.share = double(twice) / double(covered);
  return overlap;
}

double sample_uv_map(const FloatImage& image, const Vec2& uv, int channel) {
  const double x = uv.x() * image.width - 0.5, y = (1 - uv.y()) * image.height - 0.5;
  const double fx = std::floor(x), fy = std::floor(y), sx = x - fx, sy = y - fy;
  const auto at = [&](double i, double j) -> double {
    return image.pixel(wrapped(i, image.width), wrapped(j, image.height))[channel];
  };
  return (at(fx, fy) * (1 - sx) + at(fx + 1, fy) * sx) * (1 - sy) +
         (at(fx, fy + 1) * (1 - sx) + at(fx + 1, fy + 1) * sx) * sy;
}

}  // namespace cutis
