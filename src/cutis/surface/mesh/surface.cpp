#include "cutis/surface/mesh/surface.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"

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

IdVector<VertexId, Vec3> angle_weighted_normals(const Mesh& triangles, const Points& positions) {
  IdVector<VertexId, Vec3> normals(positions.size(), Vec3::Zero());
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto face = triangles.face(f);
    const Vec3 &a = positions[face[0]], &b = positions[face[1]], &c = positions[face[2]];
    const Vec3 area = (b - a).cross(c - a);
    const double twice_area = area.norm();
    if (twice_area == 0) continue;
    const auto angle = [&](const Vec3& p, const Vec3& q, const Vec3& r) {
      return std::atan2(twice_area, (q - p).dot(r - p));
    };
    normals[face[0]] += angle(a, b, c) / twice_area * area;
    normals[face[1]] += angle(b, c, a) / twice_area * area;
    normals[face[2]] += angle(c, a, b) / twice_area * area;
  }
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
