#include "cutis/flesh/distance/outward_triangles.h"

#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/orientation.h"

namespace cutis {
namespace {

void check_triangles(const Mesh& mesh) {
  if (mesh.face_count() == 0) throw InputError("flesh: the body has no faces");
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (mesh.face_size(f) != 3)
      throw InputError(fmt::format("flesh: face {} is not a triangle; triangulate the mesh first", f.value));
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (!mesh.positions[v].allFinite())
      throw InputError(
          fmt::format("flesh: vertex {}: its position is not finite; repair the mesh first", v.value));
}

/// Six times the volume of the cones from the vertices' mean: of an open surface, that of the most natural
/// lids.
double cone_volume(const Points& points, const std::vector<IndexTriangle>& triangles) {
  Vec3 apex = Vec3::Zero();
  for (const Vec3& p : points) apex += p / static_cast<double>(points.size());
  double sum = 0;
  for (const IndexTriangle& t : triangles) {
    const Vec3 &a = points.raw()[at(t[0])], &b = points.raw()[at(t[1])], &c = points.raw()[at(t[2])];
    sum += (a - apex).dot((b - apex).cross(c - apex));
  }
  return sum;
}

}  // namespace

std::vector<IndexTriangle> outward_triangles(const Mesh& triangles) {
  check_triangles(triangles);
  const Orientation turned = orientation(triangles, EdgeTable(triangles));
  std::vector<IndexTriangle> result(triangles.face_count());
  for (FaceId f : ids<FaceId>(result.size())) {
    const auto v = triangles.face(f);
    result[f.index()] = {v[0].value, v[1].value, v[2].value};
    if (turned.flip[f]) std::swap(result[f.index()][1], result[f.index()][2]);
  }
  if (cone_volume(triangles.positions, result) < 0)
    for (IndexTriangle& t : result) std::swap(t[1], t[2]);
  return result;
}

}  // namespace cutis
