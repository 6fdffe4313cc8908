#include "cutis/skin/saved_points.h"

#include "cutis/core/error.h"

namespace cutis {

void save_points(const SkinPoints& points, const std::string& name, State& state) {
  std::vector<std::int32_t>& faces = state.integers[name + "_face"];
  std::vector<double>& barycentrics = state.numbers[name + "_barycentric"];
  for (const SurfacePoint& p : points) {
    faces.push_back(p.face.value);
    barycentrics.insert(barycentrics.end(), p.barycentric.begin(), p.barycentric.end());
  }
}

SkinPoints saved_points(const State& state, const std::string& name, const Mesh& mesh) {
  const auto faces = state.integers.find(name + "_face");
  const auto barycentrics = state.numbers.find(name + "_barycentric");
  bool fits = faces != state.integers.end() && barycentrics != state.numbers.end() &&
              faces->second.size() == mesh.vertex_count() &&
              barycentrics->second.size() == 3 * mesh.vertex_count();
  SkinPoints points;
  for (std::size_t i = 0; fits && i < mesh.vertex_count(); ++i) {
    points.push_back({FaceId(faces->second[i]), Eigen::Map<const Vec3>(&barycentrics->second[3 * i])});
    fits = points[VertexId(i)].face < FaceId(mesh.face_count());
  }
  if (!fits) throw InputError("the saved state is of skin on another body; start the run afresh");
  return points;
}

}  // namespace cutis
