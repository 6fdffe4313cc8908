#include "cutis/surface/map/extend_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <Eigen/LU>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// Past the reach: a pixel is looked up between the centres of four.
constexpr double kFilterPixels = 1.5;
/// Places in the texture that are nearer than this are one [pixels].
constexpr double kSamePixels = 1;
/// Of what charts need, so much may belong to others, and so much to their own other places: the notches and
/// cuts of a chart are never without.
constexpr double kTolerated = 0.01, kToleratedCramped = 0.1;

/// What a pixel shows.
struct Pixel {
  int copy = -1;               ///< -1: nothing
  bool shared = false;         ///< by several charts
  bool own = false;            ///< of a chart, not of its gutter
  double overhang = 0;         ///< [m]
  Vec2 source = Vec2::Zero();  ///< where the texture has it, in pixels, v upwards
};

class Gutters {
 public:
  Gutters(ExtendedCharts& charts, TextureTiles& texture, const TextureReach& reach)
      : charts_(charts), texture_(texture), reach_(reach) {
    const FloatImage& image = texture.tiles.begin()->second;
    size_ = Vec2(image.width, image.height);
    for (const auto& [tile, each] : texture.tiles)
      pixels_[tile].resize(std::size_t(each.width) * std::size_t(each.height));
  }

  void grow_charts();
  void draw_charts();
  void draw_gutters();
  TextureExtension report() const;
  std::size_t fill(bool normal_map);

 private:
  /// A place that a chart needs in its gutter, and whether it gets it.
  struct Need {
    double overhang;        ///< as a share of the reach
    bool taken, by_itself;  ///< by another chart, by another place of the same
  };

  ExtendedCharts& charts_;
  TextureTiles& texture_;
  TextureReach reach_;
  Vec2 size_;  ///< of a tile in pixels
  std::map<std::pair<int, int>, std::vector<Pixel>> pixels_;
  std::vector<Need> needs_;
  std::size_t owned_ = 0, shared_ = 0;
  FaceId first_, second_;          ///< that need the same place
  bool first_is_cramped_ = false;  ///< in one chart; those of two are better to name

  struct Place {
    FloatImage* image;
    int x, y;
    Pixel* pixel;
  };
  /// Nothing outside of the tiles.
  std::optional<Place> place(int column, int row);
  /// With what filtering looks up beside [m].
  double drawn_reach(int chart) const { return reach_of(chart) + kFilterPixels * pixel_length(chart); }
  double reach_of(int chart) const {
    return reach_.pixels > 0 ? reach_.pixels * pixel_length(chart) : reach_.metres;
  }
  /// How long a pixel is in a chart [m].
  double pixel_length(int chart) const { return charts_.scale(chart) / size_.maxCoeff(); }
  Vec2 in_pixels(const Vec2& uv) const { return uv.cwiseProduct(size_); }
  bool same(const Vec2& a, const Vec2& b) const;
  template <class F>
  void for_each_pixel(int copy, const F& f);
  bool is_out_of_reach(int copy, double reach) const;
  void claim(int copy, double overhang, const Vec2& source, Pixel& pixel);
  bool sample(const Pixel& pixel, std::vector<double>& values);
  Mat2 turn_of(int copy) const;
};

std::optional<Gutters::Place> Gutters::place(int column, int row) {
  const int w = static_cast<int>(size_.x()), h = static_cast<int>(size_.y());
  const auto floored = [](int a, int n) { return a >= 0 ? a / n : -((n - 1 - a) / n); };
  std::pair<int, int> tile(floored(column, w), floored(row, h));
  const int x = column - tile.first * w, y = h - 1 - (row - tile.second * h);
  if (texture_.repeats) tile = {0, 0};
  const auto found = texture_.tiles.find(tile);
  if (found == texture_.tiles.end()) return std::nullopt;
  return Place{&found->second, x, y, &pixels_[tile][std::size_t(y) * std::size_t(w) + std::size_t(x)]};
}

/// Up to whole turns where the texture repeats.
bool Gutters::same(const Vec2& a, const Vec2& b) const {
  Vec2 d = a - b;
  if (texture_.repeats) d -= (d.cwiseQuotient(size_)).array().round().matrix().cwiseProduct(size_);
  return d.lpNorm<Eigen::Infinity>() <= kSamePixels;
}

/// Calls f(column, row, barycentrics) with the pixels whose centres lie in a copy.
template <class F>
void Gutters::for_each_pixel(int copy, const F& f) {
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

void Gutters::grow_charts() {
  std::vector<double> reach;
  for (int c = 0; c < charts_.chart_count(); ++c) reach.push_back(drawn_reach(c));
  charts_.grow_to(reach);
}

void Gutters::draw_charts() {
  for (std::size_t c = 0; c < charts_.copies().size() && charts_.copies()[c].ring == 0; ++c)
    for_each_pixel(static_cast<int>(c), [&](int column, int row, const Vec3& b) {
      const auto at = place(column, row);
      if (!at)
        throw InputError(fmt::format("face {} lies in the UDIM tile {}, of which there is no image", c,
                                     1001 + static_cast<int>(std::floor(column / size_.x())) +
                                         10 * static_cast<int>(std::floor(row / size_.y()))));
      Pixel& pixel = *at->pixel;
      if (pixel.copy >= 0) {
        if (b.minCoeff() <= 1e-6 || charts_.copy(pixel.copy).chart == charts_.copies()[c].chart) return;
        shared_ += !pixel.shared;
        pixel.shared = true;
        return;
      }
      pixel = {static_cast<int>(c), false, true, 0, Vec2(column + 0.5, row + 0.5)};
      ++owned_;
    });
}

/// The nearer chart gets the pixel; it fits when both need the same place there.
void Gutters::claim(int copy, double overhang, const Vec2& source, Pixel& pixel) {
  const int chart = charts_.copy(copy).chart;
  const double asked = reach_of(chart);
  const bool free = pixel.copy < 0, agree = free || same(pixel.source, source);
  if (overhang <= asked) {
    const bool by_itself = !agree && charts_.copy(pixel.copy).chart == chart;
    needs_.push_back({asked > 0 ? overhang / asked : 0, !agree && !by_itself, by_itself});
    if (!agree && (!first_.valid() || (!by_itself && first_is_cramped_))) {
      first_is_cramped_ = by_itself;
      first_ = charts_.copy(copy).face;
      second_ = charts_.copy(pixel.copy).face;
    }
  }
  if (free || (!pixel.own && overhang < pixel.overhang)) pixel = {copy, false, false, overhang, source};
}

/// Or turned over, where a ring had no room.
bool Gutters::is_out_of_reach(int copy, double reach) const {
  double nearest = charts_.overhang(copy, Vec3::Unit(0));
  for (int k = 1; k < 3; ++k) nearest = std::min(nearest, charts_.overhang(copy, Vec3::Unit(k)));
  const Vec2 a = charts_.coordinates(copy, Vec3::Unit(0));
  const double area =
      cross(charts_.coordinates(copy, Vec3::Unit(1)) - a, charts_.coordinates(copy, Vec3::Unit(2)) - a);
  return nearest > reach || !(area * charts_.orientation(charts_.copy(copy).chart) > 0);
}

void Gutters::draw_gutters() {
  const std::vector<ExtendedCharts::Copy>& copies = charts_.copies();
  for (std::size_t c = 0; c < copies.size(); ++c) {
    if (copies[c].ring == 0) continue;
    const int copy = static_cast<int>(c);
    const double most = drawn_reach(copies[c].chart);
    if (is_out_of_reach(copy, most)) continue;
    for_each_pixel(copy, [&](int column, int row, const Vec3& b) {
      const double overhang = charts_.overhang(copy, b);
      if (overhang > most) return;
      const Vec2 source = in_pixels(charts_.atlas().coordinates(SurfacePoint{copies[c].face, b}));
      if (const auto at = place(column, row))
        claim(copy, overhang, source, *at->pixel);
      else if (overhang <= reach_of(copies[c].chart))
        needs_.push_back({overhang / reach_of(copies[c].chart), true, false});
    });
  }
}

TextureExtension Gutters::report() const {
  TextureExtension result;
  result.shared = owned_ > 0 ? double(shared_) / double(owned_) : 0;
  std::vector<Need> needs = needs_;
  std::sort(needs.begin(), needs.end(), [](const Need& a, const Need& b) { return a.overhang < b.overhang; });
  // The furthest that all but the tolerated few are met.
  double room = 0;
  std::size_t taken = 0, cramped = 0;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    taken += needs[i].taken;
    cramped += needs[i].by_itself;
    const double most = double(i + 1);
    result.fits = double(taken) <= kTolerated * most && double(cramped) <= kToleratedCramped * most;
    if (result.fits) room = needs[i].overhang;
  }
  if (result.fits) room = 1;
  result.cramped = needs.empty() ? 0 : double(cramped) / double(needs.size());
  if (!result.fits) {
    result.first = first_;
    result.second = second_;
  }
  result.room = {room * reach_.metres, room * reach_.pixels};
  return result;
}

/// Between the centres of pixels, of the chart that the place is painted in alone: beside them lies whatever
/// the painter left.
bool Gutters::sample(const Pixel& pixel, std::vector<double>& values) {
  const int chart = charts_.copy(charts_.copy(pixel.copy).face.value).chart;
  const Vec2 x = pixel.source - Vec2(0.5, 0.5), low = x.array().floor();
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

/// How directions in the chart that a face is painted in lie in the chart of a copy: the rotation, perhaps
/// mirrored, that is nearest to the change of coordinates.
Mat2 Gutters::turn_of(int copy) const {
  Mat2 own, placed;
  const FaceId f = charts_.copy(copy).face;
  for (int k = 0; k < 2; ++k) {
    own.col(k) =
        charts_.coordinates(f.value, Vec3::Unit(k + 1)) - charts_.coordinates(f.value, Vec3::Unit(0));
    placed.col(k) = charts_.coordinates(copy, Vec3::Unit(k + 1)) - charts_.coordinates(copy, Vec3::Unit(0));
  }
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

std::size_t Gutters::fill(bool normal_map) {
  std::size_t filled = 0;
  std::vector<double> values(std::size_t(texture_.tiles.begin()->second.channels));
  for (auto& [tile, image] : texture_.tiles)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const Pixel& pixel = pixels_[tile][std::size_t(y) * std::size_t(image.width) + std::size_t(x)];
        if (pixel.copy < 0 || pixel.own || !sample(pixel, values)) continue;
        if (normal_map && values.size() >= 2) {
          const Vec2 turned = turn_of(pixel.copy) * (Vec2(values[0], values[1]) - Vec2(0.5, 0.5));
          values[0] = turned.x() + 0.5;
          values[1] = turned.y() + 0.5;
        }
        for (std::size_t k = 0; k < values.size(); ++k) image.pixel(x, y)[k] = static_cast<float>(values[k]);
        ++filled;
      }
  return filled;
}

}  // namespace

TextureExtension extend_texture(ExtendedCharts& charts, TextureTiles& texture, const TextureReach& reach,
                                bool normal_map, bool force) {
  Gutters gutters(charts, texture, reach);
  gutters.grow_charts();
  gutters.draw_charts();
  gutters.draw_gutters();
  TextureExtension result = gutters.report();
  if (result.fits || force) result.filled = gutters.fill(normal_map);
  return result;
}

}  // namespace cutis
