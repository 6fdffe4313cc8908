#include "cutis/surface/map/chart_raster.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include "cutis/core/error.h"

namespace cutis {

ChartRaster::ChartRaster(const ExtendedCharts& charts, TextureTiles& texture)
    : charts_(charts), texture_(texture) {
  const FloatImage& image = texture.tiles.begin()->second;
  size_ = Vec2(image.width, image.height);
  for (const auto& [tile, each] : texture.tiles)
    pixels_[tile].resize(std::size_t(each.width) * std::size_t(each.height));
  for (std::size_t c = 0; c < charts.copies().size() && charts.copies()[c].ring == 0; ++c)
    draw(static_cast<int>(c));
}

std::optional<ChartRaster::Place> ChartRaster::place(int column, int row) {
  const int w = static_cast<int>(size_.x()), h = static_cast<int>(size_.y());
  const auto floored = [](int a, int n) { return a >= 0 ? a / n : -((n - 1 - a) / n); };
  std::pair<int, int> tile(floored(column, w), floored(row, h));
  const int x = column - tile.first * w, y = h - 1 - (row - tile.second * h);
  if (texture_.repeats) tile = {0, 0};
  const auto found = texture_.tiles.find(tile);
  if (found == texture_.tiles.end()) return std::nullopt;
  return Place{&found->second, x, y, &pixels_[tile][std::size_t(y) * std::size_t(w) + std::size_t(x)]};
}

void ChartRaster::draw(int copy) {
  for_each_pixel(copy, [&](int column, int row, const Vec3& b) {
    const auto at = place(column, row);
    if (!at)
      throw InputError(fmt::format("face {} lies in the UDIM tile {}, of which there is no image", copy,
                                   1001 + static_cast<int>(std::floor(column / size_.x())) +
                                       10 * static_cast<int>(std::floor(row / size_.y()))));
    Pixel& pixel = *at->pixel;
    if (pixel.copy >= 0) {
      if (b.minCoeff() <= 1e-6 || charts_.copy(pixel.copy).chart == charts_.copy(copy).chart) return;
      shared_ += !pixel.shared;
      pixel.shared = true;
      return;
    }
    pixel = {copy, false, true, 0, Vec2(column + 0.5, row + 0.5)};
    ++owned_;
  });
}

bool ChartRaster::sample(int chart, const Vec2& where, std::vector<double>& values) {
  const Vec2 x = where - Vec2(0.5, 0.5), low = x.array().floor();
  std::fill(values.begin(), values.end(), 0);
  double sum = 0;
  // Where none of the four nearest is of the chart, the sixteen around them.
  for (int ring = 0; ring < 2 && !(sum > 1e-3); ++ring)
    for (int j = -ring; j <= 1 + ring; ++j)
      for (int i = -ring; i <= 1 + ring; ++i) {
        const auto at = place(static_cast<int>(low.x()) + i, static_cast<int>(low.y()) + j);
        if (!at || !at->pixel->own) continue;
        if (!at->pixel->shared && charts_.copy(at->pixel->copy).chart != chart) continue;
        const Vec2 d = (x - low - Vec2(i, j)).cwiseAbs();
        const double weight =
            ring == 0 ? (1 - d.x()) * (1 - d.y()) : 1 / (1e-3 + std::pow(d.squaredNorm(), 2));
        if (!(weight > 0)) continue;
        sum += weight;
        for (std::size_t k = 0; k < values.size(); ++k)
          values[k] += weight * at->image->pixel(at->x, at->y)[k];
      }
  for (double& value : values) value /= sum;
  return sum > 1e-3;
}

bool is_in_gutter(const ExtendedCharts& charts, int copy, double reach) {
  double nearest = charts.overhang(copy, Vec3::Unit(0));
  for (int k = 1; k < 3; ++k) nearest = std::min(nearest, charts.overhang(copy, Vec3::Unit(k)));
  const Vec2 a = charts.coordinates(copy, Vec3::Unit(0));
  const double area =
      cross(charts.coordinates(copy, Vec3::Unit(1)) - a, charts.coordinates(copy, Vec3::Unit(2)) - a);
  return nearest <= reach && area * charts.orientation(charts.copy(copy).chart) > 0;
}

Mat2 turn_between(const std::array<Vec2, 3>& from, const std::array<Vec2, 3>& to) {
  Mat2 own, placed;
  own << from[1] - from[0], from[2] - from[0];
  placed << to[1] - to[0], to[2] - to[0];
  if (!(std::abs(own.determinant()) > 0)) return Mat2::Identity();
  const Mat2 A = placed * own.inverse();
  const double sign = A.determinant() < 0 ? -1 : 1;
  Vec2 first(A(0, 0) + sign * A(1, 1), A(1, 0) - sign * A(0, 1));
  if (!(first.norm() > 0)) return Mat2::Identity();
  first.normalize();
  Mat2 turn;
  turn << first.x(), -sign * first.y(), first.y(), sign * first.x();
  return turn;
}

void turn_normal(const Mat2& turn, std::vector<double>& values) {
  if (values.size() < 2) return;
  const Vec2 turned = turn * (Vec2(values[0], values[1]) - Vec2(0.5, 0.5));
  values[0] = turned.x() + 0.5;
  values[1] = turned.y() + 0.5;
}

}  // namespace cutis
