#include "cutis/surface/map/extend_texture.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cutis/surface/map/chart_raster.h"

namespace cutis {
namespace {

/// Places in the texture that are nearer than this are one [pixels].
constexpr double kSamePixels = 1;
/// Of what charts need, so much may belong to others, and so much to their own other places: the notches and
/// cuts of a chart are never without.
constexpr double kTolerated = 0.01, kToleratedCramped = 0.1;

using Pixel = ChartRaster::Pixel;

class Gutters {
 public:
  Gutters(ExtendedCharts& charts, TextureTiles& texture, const TextureReach& reach)
      : charts_(charts), texture_(texture), reach_(reach), raster_(charts, texture) {}

  void grow_charts();
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
  ChartRaster raster_;
  std::vector<Need> needs_;
  FaceId first_, second_;          ///< that need the same place
  bool first_is_cramped_ = false;  ///< in one chart; those of two are better to name

  double drawn_reach(int chart) const { return reach_.with_filter(raster_.pixel_length(chart)); }
  double reach_of(int chart) const { return reach_.in_metres(raster_.pixel_length(chart)); }
  bool same(const Vec2& a, const Vec2& b) const;
  void claim(int copy, double overhang, const Vec2& source, Pixel& pixel);
  Mat2 turn_of(int copy) const;
};

/// Up to whole turns where the texture repeats.
bool Gutters::same(const Vec2& a, const Vec2& b) const {
  Vec2 d = a - b;
  if (texture_.repeats)
    d -= (d.cwiseQuotient(raster_.size())).array().round().matrix().cwiseProduct(raster_.size());
  return d.lpNorm<Eigen::Infinity>() <= kSamePixels;
}

void Gutters::grow_charts() {
  std::vector<double> reach;
  for (int c = 0; c < charts_.chart_count(); ++c) reach.push_back(drawn_reach(c));
  charts_.grow_to(reach);
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

void Gutters::draw_gutters() {
  const std::vector<ExtendedCharts::Copy>& copies = charts_.copies();
  for (std::size_t c = 0; c < copies.size(); ++c) {
    if (copies[c].ring == 0) continue;
    const int copy = static_cast<int>(c);
    const double most = drawn_reach(copies[c].chart);
    if (!is_in_gutter(charts_, copy, most)) continue;
    raster_.for_each_pixel(copy, [&](int column, int row, const Vec3& b) {
      const double overhang = charts_.overhang(copy, b);
      if (overhang > most) return;
      const Vec2 source = raster_.in_pixels(charts_.atlas().coordinates(SurfacePoint{copies[c].face, b}));
      if (const auto at = raster_.place(column, row))
        claim(copy, overhang, source, *at->pixel);
      else if (overhang <= reach_of(copies[c].chart))
        needs_.push_back({overhang / reach_of(copies[c].chart), true, false});
    });
  }
}

TextureExtension Gutters::report() const {
  TextureExtension result;
  result.shared = raster_.owned() > 0 ? double(raster_.shared()) / double(raster_.owned()) : 0;
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

/// How directions in the chart that a face is painted in lie in the chart of a copy.
Mat2 Gutters::turn_of(int copy) const {
  const int painted = charts_.copy(copy).face.value;
  std::array<Vec2, 3> from, to;
  for (int k = 0; k < 3; ++k) {
    from[at(k)] = charts_.coordinates(painted, Vec3::Unit(k));
    to[at(k)] = charts_.coordinates(copy, Vec3::Unit(k));
  }
  return turn_between(from, to);
}

std::size_t Gutters::fill(bool normal_map) {
  std::size_t filled = 0;
  std::vector<double> values(std::size_t(texture_.tiles.begin()->second.channels));
  for (auto& [tile, image] : texture_.tiles)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const Pixel& pixel =
            *raster_.place(tile.first * image.width + x, (tile.second + 1) * image.height - 1 - y)->pixel;
        if (pixel.copy < 0 || pixel.own) continue;
        const int painted = charts_.copy(pixel.copy).face.value;
        if (!raster_.sample(charts_.copy(painted).chart, pixel.source, values)) continue;
        if (normal_map) turn_normal(turn_of(pixel.copy), values);
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
  gutters.draw_gutters();
  TextureExtension result = gutters.report();
  if (result.fits || force) result.filled = gutters.fill(normal_map);
  return result;
}

}  // namespace cutis
