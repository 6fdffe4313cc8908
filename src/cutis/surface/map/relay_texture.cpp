#include "cutis/surface/map/relay_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "cutis/surface/field/uv_map.h"
#include "cutis/surface/map/chart_raster.h"

namespace cutis {
namespace {

constexpr int kGutter = 8;       ///< pixels
constexpr int kMostSamples = 8;  ///< each way, of one pixel

class Relay {
 public:
  Relay(const ExtendedCharts& from, TextureTiles& texture, const ExtendedCharts& to, TextureTiles& out,
        bool normal_map)
      : from_(from),
        to_(to),
        source_(from, texture),
        target_(to, out),
        out_(out),
        normal_map_(normal_map),
        values_(std::size_t(texture.tiles.begin()->second.channels)),
        sum_(values_.size()) {
    for (const auto& [tile, image] : out.tiles)
      painted_[&image].resize(std::size_t(image.width) * std::size_t(image.height));
  }

  void paint_face(int face);
  void paint_corners(int face);
  void grow_gutters() {
    for (auto& [tile, image] : out_.tiles)
      for (int i = 0; i < kGutter; ++i) grow_filled(image, painted_[&image]);
  }

 private:
  const ExtendedCharts &from_, &to_;
  ChartRaster source_, target_;
  TextureTiles& out_;
  std::map<const FloatImage*, std::vector<bool>> painted_;
  bool normal_map_;
  std::vector<double> values_, sum_;

  std::array<Vec2, 3> corners(const ExtendedCharts& charts, const ChartRaster& raster, int face) const {
    std::array<Vec2, 3> p;
    for (int k = 0; k < 3; ++k) p[at(k)] = raster.in_pixels(charts.coordinates(face, Vec3::Unit(k)));
    return p;
  }
  void write(const ChartRaster::Place& at, int face);
};

/// The means that sum_ holds.
void Relay::write(const ChartRaster::Place& at, int face) {
  if (normal_map_)
    turn_normal(turn_between(corners(from_, source_, face), corners(to_, target_, face)), sum_);
  for (std::size_t k = 0; k < sum_.size(); ++k) at.image->pixel(at.x, at.y)[k] = static_cast<float>(sum_[k]);
  painted_[at.image][std::size_t(at.y) * std::size_t(at.image->width) + std::size_t(at.x)] = true;
}

void Relay::paint_face(int face) {
  const auto own = corners(from_, source_, face), placed = corners(to_, target_, face);
  Mat2 a, b;
  a << own[1] - own[0], own[2] - own[0];
  b << placed[1] - placed[0], placed[2] - placed[0];
  if (!(std::abs(b.determinant()) > 0)) return;
  const Mat2 back = a * b.inverse();  // from pixels of the new layout to those of the old one
  const int n = static_cast<int>(
      std::clamp(std::ceil(back.colwise().norm().maxCoeff() - 1e-6), 1.0, double(kMostSamples)));
  target_.for_each_pixel(face, [&](int column, int row, const Vec3&) {
    const auto at = target_.place(column, row);
    if (!at || at->pixel->copy != face) return;
    std::fill(sum_.begin(), sum_.end(), 0);
    int count = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Vec2 x(column + (i + 0.5) / n, row + (j + 0.5) / n);
        if (!source_.sample(from_.copy(face).chart, own[0] + back * (x - placed[0]), values_)) continue;
        ++count;
        for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += values_[k];
      }
    if (count == 0) return;
    for (double& value : sum_) value /= count;
    write(*at, face);
  });
}

/// Faces too small to have the centre of a pixel, as of a palette, show the pixels that their corners are in.
void Relay::paint_corners(int face) {
  const auto own = corners(from_, source_, face), placed = corners(to_, target_, face);
  const auto pixel = [](ChartRaster& raster, const Vec2& x) {
    return raster.place(static_cast<int>(std::floor(x.x())), static_cast<int>(std::floor(x.y())));
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const auto from = pixel(source_, own[k]), to = pixel(target_, placed[k]);
    if (!from || !to || to->pixel->copy >= 0) continue;
    if (!source_.sample(from_.copy(face).chart, own[k], sum_))
      std::copy_n(from->image->pixel(from->x, from->y), sum_.size(), sum_.begin());
    write(*to, face);
  }
}

}  // namespace

TextureTiles relaid_texture(const ExtendedCharts& from, TextureTiles& texture, const ExtendedCharts& to,
                            bool normal_map) {
  TextureTiles out;
  out.repeats = texture.repeats;
  for (const auto& [tile, image] : texture.tiles)
    out.tiles[tile] = FloatImage(image.width, image.height, image.channels);
  Relay relay(from, texture, to, out, normal_map);
  const int faces = static_cast<int>(from.atlas().surface()->mesh().face_count());
  for (int f = 0; f < faces; ++f) relay.paint_face(f);
  for (int f = 0; f < faces; ++f) relay.paint_corners(f);
  relay.grow_gutters();
  return out;
}

}  // namespace cutis
