#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "cutis/surface/mesh/mesh.h"
#include "support/meshes.h"

namespace cutis::test {

/// Whether the segment from p to q passes through the inside of a triangle.
inline bool passes_through(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return (b - a).cross(c - a).dot(d - a);
  };
  if (volume(t[0], t[1], t[2], p) * volume(t[0], t[1], t[2], q) >= 0) return false;
  const double u = volume(p, q, t[0], t[1]), v = volume(p, q, t[1], t[2]), w = volume(p, q, t[2], t[0]);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

/// Pairs of triangles without a common vertex that pass through each other, by looking at all of them.
inline int intersections(const Mesh& mesh, const Points& positions) {
  std::vector<std::array<Vec3, 3>> corners;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    corners.push_back({positions[mesh.face(f)[0]], positions[mesh.face(f)[1]], positions[mesh.face(f)[2]]});
  const auto boxes_meet = [&](std::size_t i, std::size_t j) {
    const auto low = [](const std::array<Vec3, 3>& t) { return t[0].cwiseMin(t[1]).cwiseMin(t[2]).eval(); };
    const auto high = [](const std::array<Vec3, 3>& t) { return t[0].cwiseMax(t[1]).cwiseMax(t[2]).eval(); };
    return (low(corners[i]).array() <= high(corners[j]).array()).all() &&
           (low(corners[j]).array() <= high(corners[i]).array()).all();
  };
  const auto share_a_vertex = [&](std::size_t i, std::size_t j) {
    for (VertexId a : mesh.face(FaceId(i)))
      for (VertexId b : mesh.face(FaceId(j)))
        if (a == b) return true;
    return false;
  };
  const auto cuts = [&](std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < 3; ++k)
      if (passes_through(corners[i][k], corners[i][(k + 1) % 3], corners[j])) return true;
    return false;
  };
  int count = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = i + 1; j < corners.size(); ++j)
      count += boxes_meet(i, j) && !share_a_vertex(i, j) && (cuts(i, j) || cuts(j, i));
  return count;
}

/// The sheet in z = 0 rolled into meanders along x without stretch: a sine-generated curve, whose slope angle
/// is `steepest` times the sine of the way along it. Folds touch at 2.11.
inline Points meanders(const Points& sheet, double steepest, double wavelength) {
  constexpr int kSteps = 400;  // per wavelength
  Points out = sheet;
  for (Vec3& p : out) {
    Vec2 at = Vec2::Zero();
    const int n = std::max(1, static_cast<int>(std::ceil(p.x() / wavelength * kSteps)));
    for (int i = 0; i < n; ++i) {
      const double angle = steepest * std::sin(2 * pi * p.x() * (i + 0.5) / n / wavelength);
      at += p.x() / n * Vec2(std::cos(angle), std::sin(angle));
    }
    p = Vec3(at.x(), p.y(), at.y());
  }
  return out;
}

}  // namespace cutis::test
