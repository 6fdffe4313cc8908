#include "cutis/flesh/lattice/touched_tets.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

// Barycentric coordinates are sums of a few numbers of the order of the lattice: rounding stays well below.
constexpr double kTouching = 1e-9;
// Furthest point of a tetrahedron from the middle of its edge between centres, in half cells.
constexpr double kTetReach = 1.4142135623730951;

void clip(ClippedTriangle& polygon, const std::array<double, 8>& depth) {
  ClippedTriangle kept;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const std::size_t j = (i + 1) % polygon.count;
    if (depth[i] >= -kTouching) kept.corners[kept.count++] = polygon.corners[i];
    if ((depth[i] >= -kTouching) == (depth[j] >= -kTouching)) continue;
    const double s = std::clamp(depth[i] / (depth[i] - depth[j]), 0.0, 1.0);
    if (kept.count < kept.corners.size())
      kept.corners[kept.count++] = polygon.corners[i] + s * (polygon.corners[j] - polygon.corners[i]);
  }
  polygon = kept;
}

/// The cells (by their centres, odd numbers) that may hold a middle of a tetrahedron near the box.
struct CellRange {
  LatticePoint low, high;

  explicit CellRange(const std::array<Vec3, 3>& triangle) {
    const Vec3 lowest = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]),
               highest = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
    for (int k = 0; k < 3; ++k) {
      low[k] = 2 * static_cast<int>(std::floor((lowest[k] - kTouching) / 2)) + 1;
      // A tetrahedron is found with the upper one of its two cells.
      high[k] = 2 * static_cast<int>(std::floor((highest[k] + kTouching) / 2)) + 3;
    }
  }
};

}  // namespace

Vec3 ClippedTriangle::centre() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < count; ++i) sum += corners[i];
  return sum / static_cast<double>(count);
}

ClippedTriangle clipped(const BccTet& tet, const std::array<Vec3, 3>& triangle) {
  ClippedTriangle polygon;
  polygon.count = 3;
  Vec4 highest = Vec4::Constant(-1);
  for (std::size_t i = 0; i < 3; ++i) {
    polygon.corners[i] = triangle[i];
    highest = highest.cwiseMax(tet.barycentric(triangle[i]));
  }
  if (highest.minCoeff() < -kTouching) return {};
  for (int k = 0; k < 4 && polygon.count > 0; ++k) {
    std::array<double, 8> depth{};
    for (std::size_t i = 0; i < polygon.count; ++i) depth[i] = tet.barycentric(polygon.corners[i])[k];
    clip(polygon, depth);
  }
  return polygon;
}

bool touches(const BccTet& tet, const Vec3& a, const Vec3& b) {
  const Vec4 from = tet.barycentric(a), to = tet.barycentric(b);
  double enter = 0, leave = 1;
  for (int k = 0; k < 4; ++k) {
    const double f = from[k] + kTouching, t = to[k] + kTouching;
    if (f < 0 && t < 0) return false;
    if (f < 0) enter = std::max(enter, f / (f - t));
    if (t < 0) leave = std::min(leave, f / (f - t));
  }
  return enter <= leave;
}

std::vector<BccTet> touched_tets(const std::array<Vec3, 3>& triangle) {
  std::vector<BccTet> found;
  const CellRange range(triangle);
  const Vec3 normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).stableNormalized();
  for (int x = range.low.x(); x <= range.high.x(); x += 2)
    for (int y = range.low.y(); y <= range.high.y(); y += 2)
      for (int z = range.low.z(); z <= range.high.z(); z += 2)
        for (int axis = 0; axis < 3; ++axis) {
          const LatticePoint face = LatticePoint(x, y, z) - LatticePoint::Unit(axis);
          if (std::abs(normal.dot(face.cast<double>() - triangle[0])) > kTetReach + kTouching) continue;
          for (const BccTet& tet : BccTet::around(face))
            if (clipped(tet, triangle).count > 0) found.push_back(tet);
        }
  return found;
}

}  // namespace cutis
