#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "cutis/picture/render/draw_mesh.h"
#include "cutis/picture/render/scene.h"

namespace cutis::test {

/// A unit sphere of quads, `around` by around / 2, poles as rings of no size; y is up.
inline SceneObject sphere(int around, const Vec3& center = Vec3::Zero()) {
  const int rows = around / 2;
  std::vector<Vec3> points;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i < around; ++i) {
      const double a = 2 * std::numbers::pi * i / around, b = std::numbers::pi * j / rows;
      points.push_back(center + Vec3(std::sin(b) * std::cos(a), std::cos(b), -std::sin(b) * std::sin(a)));
    }
  std::vector<std::int32_t> offsets{0}, corners;
  std::vector<Vec2> uvs;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < around; ++i) {
      for (const auto& [di, dj] : {std::pair(0, 0), {0, 1}, {1, 1}, {1, 0}}) {
        corners.push_back((j + dj) * around + (i + di) % around);
        uvs.emplace_back(double(i + di) / around, 1 - double(j + dj) / rows);
      }
      offsets.push_back(static_cast<std::int32_t>(corners.size()));
    }
  SceneObject object;
  object.mesh = std::make_shared<DrawMesh>(points, offsets, corners, uvs);
  object.positions = points;
  return object;
}

/// The square (0, 0) to (1, 1) in the plane z = 0 as one quad that faces +z.
inline SceneObject quad() {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<std::int32_t> offsets{0, 4}, corners{0, 1, 2, 3};
  const std::vector<Vec2> uvs{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  SceneObject object;
  object.mesh = std::make_shared<DrawMesh>(points, offsets, corners, uvs);
  object.positions = points;
  return object;
}

inline double luminance(const Image& image, int x, int y) {
  const unsigned char* p = image.pixel(x, y);
  return (0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]) / 255;
}

}  // namespace cutis::test
