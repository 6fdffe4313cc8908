#include "cutis/surface/remesh/evenness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace cutis {

Evenness evenness(const Mesh& triangles) {
  Evenness out;
  std::vector<double> areas, heights;
  double total = 0, largest_cosine = -1;
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto c = triangles.face(f);
    const auto side = [&](std::size_t k) -> Vec3 {
      return triangles.positions[c[(k + 2) % 3]] - triangles.positions[c[(k + 1) % 3]];
    };
    areas.push_back(side(0).cross(side(1)).norm() / 2);
    total += areas.back();
    const double longest = std::max({side(0).norm(), side(1).norm(), side(2).norm()});
    heights.push_back(longest > 0 ? 2 * areas.back() / longest : 0);
    for (std::size_t k = 0; k < 3; ++k) {
      const double product = side(k).norm() * side((k + 1) % 3).norm();
      largest_cosine =
          std::max(largest_cosine, product > 0 ? -side(k).dot(side((k + 1) % 3)) / product : 1.0);
    }
  }
  if (!(total > 0)) return out;
  const auto n = static_cast<double>(areas.size());
  out.edge = std::sqrt(4 / std::numbers::sqrt3 * total / n);
  out.least_height = *std::ranges::min_element(heights) / (out.edge * std::numbers::sqrt3 / 2);
  out.smallest_angle = std::acos(std::clamp(largest_cosine, -1.0, 1.0));
  std::ranges::sort(areas);
  const double small = areas[static_cast<std::size_t>(0.05 * (n - 1))];
  out.area_spread = small > 0 ? areas[static_cast<std::size_t>(0.95 * (n - 1))] / small
                              : std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace cutis
