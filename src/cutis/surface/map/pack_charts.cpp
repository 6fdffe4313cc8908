#include "cutis/surface/map/pack_charts.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "cutis/core/disjoint_sets.h"
#include "cutis/surface/map/chart_raster.h"

namespace cutis {
namespace {

/// Beside what charts show: filtering looks this far beyond a border of the surface, too [pixels].
constexpr double kMargin = 2;
/// Outlines are kept in as many columns at most; a texture with more pixels has several to a column.
constexpr int kColumns = 1024;
constexpr double kLeastScale = 1.0 / 16;
constexpr int kBisections = 6;

/// A point turned by quarters.
Vec2 turned(const Vec2& p, int quarters) {
  const std::array<Vec2, 4> all = {p, Vec2(-p.y(), p.x()), Vec2(-p.x(), -p.y()), Vec2(p.y(), -p.x())};
  return all[at(quarters)];
}

using Segment = std::pair<Vec2, Vec2>;  ///< [pixels]

/// A piece of the layout over columns of a grid: from the lowest cell to past the highest one in each.
struct Outline {
  Vec2 corner = Vec2::Zero();  ///< the lower left corner in the pixels of the piece, a whole cell
  std::vector<int> low, high;  ///< from the corner on; low > high in a column that is empty
  int height = 0;
  int width() const { return static_cast<int>(low.size()); }
};

Outline outline(const std::vector<Segment>& segments, int quarters, int cell) {
  Vec2 lowest = Vec2::Constant(INFINITY), highest = -lowest;
  for (const auto& [a, b] : segments)
    for (const Vec2& p : {turned(a, quarters), turned(b, quarters)}) {
      lowest = lowest.cwiseMin(p);
      highest = highest.cwiseMax(p);
    }
  Outline out;
  const int margin = static_cast<int>(std::ceil(kMargin / cell));
  const Vec2 first = (lowest / cell).array().floor() - margin;
  out.corner = cell * first;
  const Vec2 extent = (highest - out.corner) / cell;
  const int columns = static_cast<int>(extent.x()) + 1;
  out.height = static_cast<int>(extent.y()) + 1 + margin;
  std::vector<int> low(at(columns), INT_MAX / 2), high(at(columns), INT_MIN / 2);
  for (const auto& [from, to] : segments) {
    Vec2 a = (turned(from, quarters) - out.corner) / cell, b = (turned(to, quarters) - out.corner) / cell;
    if (b.x() < a.x()) std::swap(a, b);
    const double slope = b.x() > a.x() ? (b.y() - a.y()) / (b.x() - a.x()) : 0;
    for (int x = static_cast<int>(a.x()); x <= static_cast<int>(b.x()); ++x) {
      const double left = std::max(double(x), a.x()), right = std::min(x + 1.0, b.x());
      const double p = x <= a.x() ? a.y() : a.y() + slope * (left - a.x());
      const double q = x + 1.0 >= b.x() ? b.y() : a.y() + slope * (right - a.x());
      low[at(x)] = std::min(low[at(x)], static_cast<int>(std::min(p, q)));
      high[at(x)] = std::max(high[at(x)], static_cast<int>(std::max(p, q)) + 1);
    }
  }
  out.low.assign(at(columns + margin), INT_MAX / 2);
  out.high.assign(at(columns + margin), INT_MIN / 2);
  for (int x = 0; x < columns; ++x)
    for (int k = std::max(x - margin, 0); k <= x + margin; ++k) {
      out.low[at(k)] = std::min(out.low[at(k)], low[at(x)] - margin);
      out.high[at(k)] = std::max(out.high[at(k)], high[at(x)] + margin);
    }
  return out;
}

/// One image that fills from below.
class Tile {
 public:
  Tile(int columns, int rows) : horizon_(at(columns), 0), rows_(rows) {}

  struct Spot {
    int top = INT_MAX;  ///< of the piece there
    long wasted = 0;    ///< cells between the horizon and the piece
    int quarters = 0, x = 0, y = 0;
    auto operator<=>(const Spot&) const = default;
  };
  /// The lowest; of equally low ones that which wastes the least. Not better than `best`: that is kept.
  void find(const Outline& piece, int quarters, Spot& best) const {
    for (int x = 0; x + piece.width() <= static_cast<int>(horizon_.size()); ++x) {
      Spot spot{0, 0, quarters, x, 0};
      for (int k = 0; k < piece.width(); ++k)
        if (piece.low[at(k)] < piece.high[at(k)])
          spot.y = std::max(spot.y, horizon_[at(x + k)] - piece.low[at(k)]);
      spot.top = spot.y + piece.height;
      if (spot.top > rows_ || spot.top > best.top) continue;
      for (int k = 0; k < piece.width(); ++k)
        if (piece.low[at(k)] < piece.high[at(k)])
          spot.wasted += spot.y + piece.low[at(k)] - horizon_[at(x + k)];
      best = std::min(best, spot);
    }
  }
  void put(const Outline& piece, const Spot& spot) {
    for (int k = 0; k < piece.width(); ++k)
      if (piece.low[at(k)] < piece.high[at(k)]) horizon_[at(spot.x + k)] = spot.y + piece.high[at(k)];
  }

 private:
  std::vector<int> horizon_;
  int rows_;
};

class Packer {
 public:
  Packer(ExtendedCharts& charts, const TriangleMesh& triangles, const TextureTiles& texture,
         const TextureReach& reach);
  /// Where each piece goes at that scale; empty where there is no room.
  std::vector<ChartTransition> pack(double scale);
  IdVector<CornerId, Vec2> uvs(const std::vector<ChartTransition>& placement) const;

 private:
  ExtendedCharts& charts_;
  const TextureReach& reach_;
  Vec2 size_;                              ///< of a tile in pixels
  int cell_;                               ///< pixels
  std::vector<int> piece_;                 ///< of each chart
  std::vector<std::pair<int, int>> tile_;  ///< of each piece

  std::vector<std::vector<Segment>> segments(double scale);
};

Packer::Packer(ExtendedCharts& charts, const TriangleMesh& triangles, const TextureTiles& texture,
               const TextureReach& reach)
    : charts_(charts), reach_(reach) {
  const FloatImage& image = texture.tiles.begin()->second;
  size_ = Vec2(image.width, image.height);
  cell_ = (std::max(image.width, image.height) + kColumns - 1) / kColumns;
  DisjointSets sets(at(charts.chart_count()));
  for (std::size_t f = 1; f < triangles.polygon.size(); ++f)
    if (triangles.polygon[FaceId(f)] == triangles.polygon[FaceId(f - 1)])
      sets.join(at(charts.copies()[f].chart), at(charts.copies()[f - 1].chart));
  std::vector<Eigen::AlignedBox2d> box(at(sets.numbered(piece_)));
  for (std::size_t f = 0; f < triangles.polygon.size(); ++f)
    for (int k = 0; k < 3; ++k)
      box[at(piece_[at(charts.copies()[f].chart)])].extend(
          charts.coordinates(static_cast<int>(f), Vec3::Unit(k)));
  for (const Eigen::AlignedBox2d& b : box)
    tile_.emplace_back(texture.repeats ? 0 : static_cast<int>(std::floor(b.center().x())),
                       texture.repeats ? 0 : static_cast<int>(std::floor(b.center().y())));
}

/// The sides of all that each piece shows: its faces, and those of the rings as far as they are within reach.
std::vector<std::vector<Segment>> Packer::segments(double scale) {
  std::vector<double> reach;
  for (int c = 0; c < charts_.chart_count(); ++c)
    reach.push_back(reach_.with_filter(charts_.scale(c) / (scale * size_.maxCoeff())));
  charts_.grow_to(reach);
  std::vector<std::vector<Segment>> all(tile_.size());
  for (std::size_t c = 0; c < charts_.copies().size(); ++c) {
    const int copy = static_cast<int>(c), chart = charts_.copies()[c].chart;
    const double most = reach[at(chart)];
    if (charts_.copies()[c].ring > 0 && !is_in_gutter(charts_, copy, most)) continue;
    // The overhang is linear on a face, so the part within reach is a convex polygon.
    std::vector<Vec2> polygon;
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = Vec3::Unit(k), b = Vec3::Unit((k + 1) % 3);
      const double from = charts_.overhang(copy, a) - most, to = charts_.overhang(copy, b) - most;
      if (from <= 0) polygon.push_back(charts_.coordinates(copy, a));
      if ((from <= 0) != (to <= 0)) {
        const double s = from / (from - to);
        polygon.push_back(charts_.coordinates(copy, (1 - s) * a + s * b));
      }
    }
    for (Vec2& p : polygon) p = scale * p.cwiseProduct(size_);
    for (std::size_t k = 0; k < polygon.size(); ++k)
      all[at(piece_[at(chart)])].emplace_back(polygon[k], polygon[(k + 1) % polygon.size()]);
  }
  return all;
}

std::vector<ChartTransition> Packer::pack(double scale) {
  const int turns = size_.x() == size_.y() ? 4 : 1;
  const int columns = static_cast<int>(size_.x()) / cell_, rows = static_cast<int>(size_.y()) / cell_;
  std::vector<std::vector<Outline>> outlines;
  for (const std::vector<Segment>& piece : segments(scale)) {
    outlines.emplace_back();
    for (int k = 0; k < turns; ++k) outlines.back().push_back(outline(piece, k, cell_));
  }
  std::vector<std::size_t> order(outlines.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Outline &p = outlines[a].front(), &q = outlines[b].front();
    return std::max(p.width(), p.height) > std::max(q.width(), q.height);
  });
  std::map<std::pair<int, int>, Tile> tiles;
  std::vector<ChartTransition> placement(outlines.size());
  for (const std::size_t i : order) {
    Tile& tile = tiles.try_emplace(tile_[i], columns, rows).first->second;
    Tile::Spot best;
    for (int k = 0; k < turns; ++k) tile.find(outlines[i][at(k)], k, best);
    if (best.top == INT_MAX) return {};
    const Outline& piece = outlines[i][at(best.quarters)];
    tile.put(piece, best);
    const Vec2 corner = cell_ * Vec2(best.x, best.y);
    placement[i].turn = scale * turned(Vec2(1, 0), best.quarters);
    placement[i].shift = Vec2(tile_[i].first, tile_[i].second) + (corner - piece.corner).cwiseQuotient(size_);
  }
  return placement;
}

IdVector<CornerId, Vec2> Packer::uvs(const std::vector<ChartTransition>& placement) const {
  IdVector<CornerId, Vec2> uvs;
  const Topology& t = charts_.atlas().surface()->topology();
  for (CornerId c : ids<CornerId>(t.corner_count()))
    uvs.push_back(
        placement[at(piece_[at(charts_.copy(t.face(c).value).chart)])](charts_.atlas().coordinates(c)));
  return uvs;
}

}  // namespace

std::optional<PackedCharts> pack_charts(ExtendedCharts& charts, const TriangleMesh& triangles,
                                        const TextureTiles& texture, const TextureReach& reach) {
  Packer packer(charts, triangles, texture, reach);
  double fits = 1, too_large = 0;
  std::vector<ChartTransition> best = packer.pack(fits);
  while (best.empty() && fits > kLeastScale) {
    too_large = fits;
    fits /= 2;
    best = packer.pack(fits);
  }
  if (best.empty()) return std::nullopt;
  for (int i = 0; i < kBisections && too_large > 0; ++i) {
    const double middle = 0.5 * (fits + too_large);
    std::vector<ChartTransition> tried = packer.pack(middle);
    if (tried.empty()) {
      too_large = middle;
    } else {
      fits = middle;
      best = std::move(tried);
    }
  }
  return PackedCharts{packer.uvs(best), fits};
}

}  // namespace cutis
