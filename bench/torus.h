#pragma once

#include <array>
#include <cmath>

#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis::bench {

/// On the torus with radii 1 and 0.4, `u` along the large circle and `v` along the small one [rad].
inline Vec3 on_torus(double u, double v) {
  const double out = 1 + 0.4 * std::cos(v);
  return Vec3(out * std::cos(u), out * std::sin(u), 0.4 * std::sin(v));
}

/// 2 n m triangles on it; with n = 2.5 m all edges are about equally long.
inline Mesh torus(int n, int m) {
  Mesh quads;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) quads.positions.push_back(on_torus(2 * M_PI * i / n, 2 * M_PI * j / m));
  const auto at = [&](int i, int j) { return VertexId(j % m * n + i % n); };
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
      quads.add_face(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  return triangulated(quads).mesh;
}

}  // namespace cutis::bench
