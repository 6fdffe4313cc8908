#include "cutis/surface/mesh/surface.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

const Mesh& all_triangles(const Mesh& mesh) {
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (mesh.face_size(f) != 3)
      throw InputError(
          fmt::format("face {}: has {} corners where a triangle is needed", f.value, mesh.face_size(f)));
  return mesh;
}

}  // namespace

/// Angles take the time, and are found in parallel; sums are taken in the order of the faces.
std::vector<VertexId> border_vertices(const Surface& surface) {
  std::vector<VertexId> out;
  for (VertexId v : ids<VertexId>(surface.mesh().vertex_count()))
    if (surface.topology().halfedge(v).valid() && surface.topology().is_border(v)) out.push_back(v);
  return out;
}

IdVector<VertexId, Vec3> angle_weighted_normals(const Mesh& triangles, const Points& positions) {
  std::vector<std::array<Vec3, 3>> parts(triangles.face_count(), {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()});
  parallel_for(parts.size(), [&](std::size_t i) {
    const auto face = triangles.face(FaceId(i));
    const Vec3 &a = positions[face[0]], &b = positions[face[1]], &c = positions[face[2]];
    const Vec3 area = (b - a).cross(c - a);
    const double twice_area = area.norm();
    if (twice_area == 0) return;
    const auto part = [&](const Vec3& p, const Vec3& q, const Vec3& r) -> Vec3 {
      return std::atan2(twice_area, (q - p).dot(r - p)) / twice_area * area;
    };
    parts[i] = {part(a, b, c), part(b, c, a), part(c, a, b)};
  });
  IdVector<VertexId, Vec3> normals(positions.size(), Vec3::Zero());
  for (FaceId f : ids<FaceId>(parts.size()))
    for (std::size_t k = 0; k < 3; ++k) normals[triangles.face(f)[k]] += parts[f.index()][k];
  for (Vec3& n : normals) n.normalize();
  return normals;
}

Surface::Surface(Mesh triangles)
    : mesh_(std::move(triangles)),
      topology_(all_triangles(mesh_)),
      normals_(angle_weighted_normals(mesh_, mesh_.positions)),
      size_(bounding_diagonal(mesh_.positions.raw())) {}

SurfacePoint Surface::point(VertexId v) const {
  const HalfedgeId h = topology_.halfedge(v);
  const FaceId f = topology_.face(h);
  return {f, Vec3::Unit(static_cast<int>(h.index() - mesh_.first_corner(f).index()))};
}

}  // namespace cutis
