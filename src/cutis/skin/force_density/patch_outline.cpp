#include "cutis/skin/force_density/patch_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cutis/core/log.h"
#include "cutis/surface/geodesic/frames.h"

namespace cutis {
namespace {

constexpr double evenness = 4;           // [rad] a corner off its place by a whole side
constexpr double bow = 0.02;             // of a side of the square
constexpr double shortest_share = 0.05;  // an edge that closing the outline leaves less of has vanished

/// Lengths of the edges that start at the outline's vertices [m].
std::vector<double> edge_lengths(const PatchDisk& disk) {
  const std::size_t n = disk.outline.size();
  std::vector<double> lengths(n);
  for (std::size_t i = 0; i < n; ++i)
    lengths[i] =
        (disk.mesh.positions[disk.outline[(i + 1) % n]] - disk.mesh.positions[disk.outline[i]]).norm();
  return lengths;
}

/// How far the border turns left at each vertex, within the patch [rad].
std::vector<double> turns(const PatchDisk& disk, const Topology& t) {
  std::vector<double> result;
  for (VertexId v : disk.outline) {
    double inside = 0;
    for (HalfedgeId h = t.halfedge(v); !t.is_border(h); h = t.rotate(h))
      inside += corner_angle(t, disk.mesh.positions, h);
    result.push_back(pi - inside);
  }
  return result;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (double value : values) total += value;
  return total;
}

bool segments_touch(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const auto side = [](const Vec2& p, const Vec2& q, const Vec2& r) { return cross(q - p, r - p); };
  const auto between = [](double a, double b, double c, double d) {
    return std::max(std::min(a, b), std::min(c, d)) <= std::min(std::max(a, b), std::max(c, d));
  };
  return between(a.x(), b.x(), c.x(), d.x()) && between(a.y(), b.y(), c.y(), d.y()) &&
         side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

bool is_simple(const std::vector<Vec2>& polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;
      if (segments_touch(polygon[i], polygon[i + 1], polygon[j], polygon[(j + 1) % n])) return false;
    }
  // Two neighbours cross only where the outline turns back on itself.
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 in = polygon[(i + 1) % n] - polygon[i], out = polygon[(i + 2) % n] - polygon[(i + 1) % n];
    if (cross(in, out) == 0 && in.dot(out) < 0) return false;
  }
  return true;
}

/// Whether an edge inside the patch joins two vertices of one side, ends included.
bool has_chord(const PatchDisk& disk, const Topology& t, const std::array<std::size_t, 4>& corners) {
  // Bit k: the vertex lies on side k.
  IdVector<VertexId, int> sides(t.vertex_count(), 0);
  const std::size_t n = disk.outline.size();
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = corners[k];; i = (i + 1) % n) {
      sides[disk.outline[i]] |= 1 << k;
      if (i == corners[(k + 1) % 4]) break;
    }
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    if (!t.is_border(e) && (sides[t.from(h)] & sides[t.to(h)]) != 0) return true;
  }
  return false;
}

/// The unit square by shares of length along each side (the paper, section 6).
std::vector<Vec2> square(const PatchDisk& disk, const Topology& t) {
  std::array<std::size_t, 4> corners{};
  if (disk.corners.size() == 4)
    for (std::size_t k = 0; k < 4; ++k)
      corners[k] = static_cast<std::size_t>(
          std::find(disk.outline.begin(), disk.outline.end(), disk.corners[k]) - disk.outline.begin());
  else
    corners = find_corners(disk, t);
  double out = 0;
  if (has_chord(disk, t, corners)) {
    out = bow;
    log().info(
        "patch \"{}\": an edge joins two places of one side of its square; the sides are bowed a "
        "little to keep its faces open",
        disk.name);
  }
  const std::vector<double> lengths = edge_lengths(disk);
  const std::size_t n = disk.outline.size();
  std::vector<Vec2> places(n);
  const std::array<Vec2, 4> square{Vec2(0, 0), Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec2 begin = square[k], side = square[(k + 1) % 4] - begin, outwards(side.y(), -side.x());
    double total = 0, way = 0;
    for (std::size_t i = corners[k]; i != corners[(k + 1) % 4]; i = (i + 1) % n) total += lengths[i];
    for (std::size_t i = corners[k]; i != corners[(k + 1) % 4]; i = (i + 1) % n) {
      const double share = way / total;
      places[i] = begin + share * side + 4 * out * share * (1 - share) * outwards;
      way += lengths[i];
    }
  }
  return places;
}

}  // namespace

std::vector<Vec2> circle_outline(const PatchDisk& disk) {
  const std::vector<double> lengths = edge_lengths(disk);
  const double total = sum(lengths);
  std::vector<Vec2> places;
  double way = 0;
  for (double length : lengths) {
    const double angle = 2 * pi * way / total;
    places.push_back(total / (2 * pi) * Vec2(std::cos(angle), std::sin(angle)));
    way += length;
  }
  return places;
}

std::array<std::size_t, 4> find_corners(const PatchDisk& disk, const Topology& t) {
  const std::vector<double> lengths = edge_lengths(disk), turning = turns(disk, t);
  const std::size_t n = lengths.size();
  std::vector<double> way(n, 0.0);
  for (std::size_t i = 1; i < n; ++i) way[i] = way[i - 1] + lengths[i - 1];
  const double total = way[n - 1] + lengths[n - 1], side = total / 4;
  // What a corner off its place by all of a side would cost, in turns.
  const auto worth = [&](std::size_t i, double place) {
    double off = std::abs(way[i] - place);
    off = std::min(off, total - off);
    return turning[i] - evenness * off / side;
  };
  // For each first corner the others are the best near a quarter, a half and three quarters on.
  std::array<std::size_t, 4> best{0, 1, 2, 3};
  double best_worth = -std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first < n; ++first) {
    std::array<std::size_t, 4> corners{first, 0, 0, 0};
    double sum = turning[first];
    for (std::size_t k = 1; k < 4; ++k) {
      const double place = std::fmod(way[first] + static_cast<double>(k) * side, total);
      std::size_t chosen = 0;
      for (std::size_t i = 1; i < n; ++i)
        if (worth(i, place) > worth(chosen, place)) chosen = i;
      corners[k] = chosen;
      sum += worth(chosen, place);
    }
    std::sort(corners.begin(), corners.end());
    const bool apart = std::adjacent_find(corners.begin(), corners.end()) == corners.end();
    if (apart && sum > best_worth + 1e-9) {
      best = corners;
      best_worth = sum;
    }
  }
  return best;
}

std::vector<Vec2> developed_outline(const PatchDisk& disk, const Topology& t) {
  std::vector<double> lengths = edge_lengths(disk);
  std::vector<double> turning = turns(disk, t);
  const std::size_t n = lengths.size();
  const double missing = (2 * pi - sum(turning)) / sum(lengths);
  std::vector<Vec2> directions(n);
  double angle = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // The turn at vertex i lies between edges i - 1 and i: it gets the share of half of each.
    const double share = 0.5 * (lengths[i] + lengths[(i + n - 1) % n]);
    if (i > 0) angle += turning[i] + missing * share;
    directions[i] = Vec2(std::cos(angle), std::sin(angle));
  }
  // Least sum of (l' - l)² / l so that sum l' d = 0: l' = l (1 - d · (sum l d dᵀ)⁻¹ sum l d).
  Mat2 metric = Mat2::Zero();
  Vec2 gap = Vec2::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    metric += lengths[i] * directions[i] * directions[i].transpose();
    gap += lengths[i] * directions[i];
  }
  const Vec2 correction = metric.inverse() * gap;
  std::vector<Vec2> places(n);
  Vec2 place = Vec2::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double share = 1 - directions[i].dot(correction);
    if (!(share > shortest_share)) return {};
    places[i] = place;
    place += share * lengths[i] * directions[i];
  }
  if (!is_simple(places)) return {};
  return places;
}

std::vector<Vec2> lay_outline(const PatchDisk& disk, const Topology& topology, OutlineShape shape) {
  if (shape == OutlineShape::Square) {
    if (disk.outline.size() >= 4) return square(disk, topology);
    log().warn("patch \"{}\": its border has fewer than four vertices; it is laid out to a circle",
               disk.name);
    return circle_outline(disk);
  }
  std::vector<Vec2> places = developed_outline(disk, topology);
  if (!places.empty()) return places;
  log().warn(
      "patch \"{}\": its border crosses itself when it is unrolled; it is laid out to a circle. A "
      "smoother or smaller patch keeps its shape better",
      disk.name);
  return circle_outline(disk);
}

}  // namespace cutis
