#include "support/uv_layouts.h"

#include <cmath>

namespace cutis::test {

Islands four_islands(const Mesh& mesh, double size) {
  Islands result{mesh, {}, {}};
  for (int i = 0; i < 4; ++i) {
    const Vec2 middle(0.25 + 0.5 * (i % 2), 0.25 + 0.5 * (i / 2));
    const double angle = 0.5 * M_PI * i;
    // Two are smaller than the others, one is mirrored.
    const double scale = size * (i % 3 == 0 ? 1 : 0.75);
    ChartTransition placement{scale * Vec2(std::cos(angle), std::sin(angle)), Vec2::Zero(), i == 2};
    placement.shift = middle - placement.vector(middle);
    result.placement.push_back(placement);
  }
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t first = mesh.first_corner(f).index(), count = mesh.face_size(f);
    Vec2 middle = Vec2::Zero();
    for (std::size_t k = 0; k < count; ++k) middle += mesh.uvs[CornerId(first + k)] / double(count);
    const int i = (middle.x() < 0.5 ? 0 : 1) + (middle.y() < 0.5 ? 0 : 2);
    result.island.push_back(i);
    for (std::size_t k = 0; k < count; ++k)
      result.mesh.uvs[CornerId(first + k)] = result.placement[std::size_t(i)](mesh.uvs[CornerId(first + k)]);
  }
  return result;
}

}  // namespace cutis::test
