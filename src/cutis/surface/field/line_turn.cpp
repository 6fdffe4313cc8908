#include "cutis/surface/field/line_turn.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace cutis {
namespace {

struct Side {
  std::int32_t low, high;  ///< its points
  std::size_t triangle;
  bool forward;  ///< it runs from low to high

  bool same_edge(const Side& other) const { return low == other.low && high == other.high; }
};

std::vector<Side> sorted_sides(std::span<const IndexTriangle> triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

/// From an edge to a line in a triangle, counter-clockwise seen from outside [rad].
double angle_from(const Vec3& edge, const Vec3& line, const Vec3& normal) {
  return std::atan2(normal.cross(edge).dot(line), edge.dot(line));
}

}  // namespace

std::vector<LineTurn> line_turns(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                                 const LineDirections& directions) {
  const auto at = [&](std::int32_t i) -> const Vec3& { return points[static_cast<std::size_t>(i)]; };
  const std::vector<Side> sides = sorted_sides(triangles);
  std::vector<LineTurn> turns;
  for (std::size_t begin = 0, end; begin < sides.size(); begin = end) {
    for (end = begin + 1; end < sides.size() && sides[end].same_edge(sides[begin]);) ++end;
    const Side &a = sides[begin], &b = sides[end - 1];
    if (end - begin != 2 || a.forward == b.forward) continue;
    const Vec3 edge = at(a.high) - at(a.low);
    // The normals turn about the edge with the hinge, so angles from the edge compare.
    const auto angle = [&](const Side& side) {
      const IndexTriangle& t = triangles[side.triangle];
      const Vec3 normal = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).normalized();
      return angle_from(edge, directions[FaceId(side.triangle)], normal);
    };
    const double turn = std::remainder(angle(a) - angle(b), pi);  // d and -d are the same
    turns.push_back({a.triangle, b.triangle, std::abs(turn), edge.norm()});
  }
  return turns;
}

std::vector<LineTurn> stroke_turns(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                                   const LineDirections& directions, std::span<const LineSample> samples) {
  LineDirections drawn = directions;
  std::vector<char> has_stroke(triangles.size(), 0);
  for (const LineSample& sample : samples) {
    drawn[sample.face] = sample.direction;
    has_stroke[sample.face.index()] = 1;
  }
  std::vector<LineTurn> turns = line_turns(points, triangles, drawn);
  std::erase_if(turns, [&](const LineTurn& t) { return has_stroke[t.left] == has_stroke[t.right]; });
  return turns;
}

}  // namespace cutis
