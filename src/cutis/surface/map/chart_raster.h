#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cutis/surface/map/extended_charts.h"
#include "cutis/surface/map/texture_tiles.h"

namespace cutis {

/// The pixels of a texture, and to which chart of a layout each belongs: that whose face has its centre, the
/// first where there are several.
class ChartRaster {
 public:
  struct Pixel {
    int copy = -1;               ///< of ExtendedCharts; -1: nothing
    bool shared = false;         ///< by several charts
    bool own = false;            ///< of a chart, not of its gutter
    double overhang = 0;         ///< [m]
    Vec2 source = Vec2::Zero();  ///< where the texture has what it shows, in pixels, v upwards
  };
  struct Place {
    FloatImage* image;
    int x, y;
    Pixel* pixel;
  };

  /// Both must outlive it. Throws InputError when a chart lies in a tile that has no image.
  ChartRaster(const ExtendedCharts& charts, TextureTiles& texture);

  const Vec2& size() const { return size_; }  ///< of a tile in pixels
  Vec2 in_pixels(const Vec2& uv) const { return uv.cwiseProduct(size_); }
  /// How long a pixel is in a chart [m].
  double pixel_length(int chart) const { return charts_.scale(chart) / size_.maxCoeff(); }
  /// The pixel at a column and row, counted through all tiles with v upwards; nothing outside of them.
  std::optional<Place> place(int column, int row);
  std::size_t owned() const { return owned_; }    ///< pixels of charts
  std::size_t shared() const { return shared_; }  ///< of these, the ones of several

  /// Calls f(column, row, barycentrics) with the pixels whose centres lie in a copy.
  template <class F>
  void for_each_pixel(int copy, const F& f) const;

  /// The colour of a place (in pixels), between the centres of pixels of that chart alone: beside them lies
  /// whatever the painter left. False where none of them is near.
  bool sample(int chart, const Vec2& place, std::vector<double>& values);

 private:
  const ExtendedCharts& charts_;
  TextureTiles& texture_;
  Vec2 size_;
  std::map<std::pair<int, int>, std::vector<Pixel>> pixels_;
  std::size_t owned_ = 0, shared_ = 0;

  void draw(int copy);
};

/// Whether a copy in the rings of a chart belongs to its gutter: a part of it is less than `reach` [m] past
/// the border, and it is not turned over, as it is where a ring had no room.
bool is_in_gutter(const ExtendedCharts& charts, int copy, double reach);

/// How directions in one layout of a face lie in another, both given by its three corners: the rotation,
/// perhaps mirrored, that is nearest to the change of coordinates.
Mat2 turn_between(const std::array<Vec2, 3>& from, const std::array<Vec2, 3>& to);

/// Turns the vector in tangent space (0.5 is zero) that the first two channels of a normal map hold.
void turn_normal(const Mat2& turn, std::vector<double>& values);

template <class F>
void ChartRaster::for_each_pixel(int copy, const F& f) const {
  std::array<Vec2, 3> p;
  for (int k = 0; k < 3; ++k) p[at(k)] = in_pixels(charts_.coordinates(copy, Vec3::Unit(k)));
  const double area = cross(p[1] - p[0], p[2] - p[0]);
  if (!(std::abs(area) > 0) || !std::isfinite(area)) return;
  const Vec2 low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
  if ((high - low).maxCoeff() > 2 * size_.maxCoeff() || high.cwiseAbs().maxCoeff() > 1e6) return;
  for (int row = static_cast<int>(std::ceil(low.y() - 0.5)); row + 0.5 <= high.y(); ++row)
    for (int column = static_cast<int>(std::ceil(low.x() - 0.5)); column + 0.5 <= high.x(); ++column) {
      const Vec2 x(column + 0.5, row + 0.5);
      const Vec3 b =
          Vec3(cross(p[1] - x, p[2] - x), cross(p[2] - x, p[0] - x), cross(p[0] - x, p[1] - x)) / area;
      if (b.minCoeff() >= -1e-9) f(column, row, b);
    }
}

}  // namespace cutis
