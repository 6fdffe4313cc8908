#include "cutis/surface/mesh/edge_table.h"

#include <algorithm>
#include <tuple>

namespace cutis {

EdgeTable::EdgeTable(const Mesh& mesh, const IdVector<FaceId, char>& skip) {
  sides_.reserve(mesh.corner_count());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    if (!skip.empty() && skip[f]) continue;
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) {
      const CornerId c(mesh.first_corner(f).index() + i);
      const VertexId a = mesh.corners[c], b = mesh.corners[corner_after(mesh, f, c)];
      if (a != b) sides_.push_back({std::min(a, b), std::max(a, b), c, f, a < b});
    }
  }
  std::sort(sides_.begin(), sides_.end(), [](const EdgeSide& x, const EdgeSide& y) {
    return std::tie(x.low, x.high, x.corner) < std::tie(y.low, y.high, y.corner);
  });
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (i == 0 || sides_[i].low != sides_[i - 1].low || sides_[i].high != sides_[i - 1].high)
      first_.push_back(i);
  first_.push_back(sides_.size());
}

Vec3 area_vector(const Mesh& mesh, FaceId f) {
  const auto v = mesh.face(f);
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = mesh.positions[v[0]];
  for (std::size_t i = 1; i + 1 < v.size(); ++i)
    sum += (mesh.positions[v[i]] - origin).cross(mesh.positions[v[i + 1]] - origin);
  return 0.5 * sum;
}

}  // namespace cutis
