#include "cutis/picture/render/draw_mesh.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/triangulate.h"
#include "cutis/surface/mesh/weld.h"

namespace cutis {
namespace {

SourceMesh source_from_arrays(std::span<const Vec3> positions, std::span<const std::int32_t> face_offsets,
                              std::span<const std::int32_t> corners, std::span<const Vec2> uvs) {
  const auto refuse = [](const std::string& why) { throw InputError("a mesh cannot be drawn: " + why); };
  if (face_offsets.empty() ? !corners.empty()
                           : face_offsets.front() != 0 || std::size_t(face_offsets.back()) != corners.size())
    refuse("its face offsets do not run from 0 to the number of corners");
  for (std::size_t f = 1; f < face_offsets.size(); ++f)
    if (face_offsets[f] - face_offsets[f - 1] < 3)
      refuse(fmt::format("face {} has fewer than three corners", f - 1));
  for (std::int32_t v : corners)
    if (v < 0 || std::size_t(v) >= positions.size())
      refuse(fmt::format("a face names vertex {}, but there are {}", v, positions.size()));
  if (!uvs.empty() && uvs.size() != corners.size())
    refuse(fmt::format("it has {} corners but {} texture coordinates", corners.size(), uvs.size()));

  SourceMesh mesh;
  mesh.positions.raw().assign(positions.begin(), positions.end());
  mesh.face_offsets.assign(face_offsets.begin(), face_offsets.end());
  for (std::int32_t v : corners) mesh.corners.push_back(SourceVertexId(v));
  mesh.uvs.raw().assign(uvs.begin(), uvs.end());
  return mesh;
}

/// The same polygons over ids of another kind.
template <class To, class From>
PolygonMesh<To> relabel(const PolygonMesh<From>& from) {
  PolygonMesh<To> mesh;
  mesh.positions.raw() = from.positions.raw();
  mesh.face_offsets = from.face_offsets;
  for (From v : from.corners) mesh.corners.push_back(To(v.index()));
  mesh.uvs.raw() = from.uvs.raw();
  return mesh;
}

}  // namespace

DrawMesh::DrawMesh(const Mesh& mesh) {
  std::vector<std::int32_t> itself(mesh.vertex_count());
  std::iota(itself.begin(), itself.end(), 0);
  prepare(mesh, itself);
}

DrawMesh::DrawMesh(const SourceMesh& mesh) {
  const Weld welded = weld(mesh, default_weld_tolerance(mesh));
  std::vector<std::int32_t> place_of;
  for (VertexId v : welded.vertex_of) place_of.push_back(welded.representative[v].value);
  prepare(relabel<VertexId>(mesh), place_of);
}

DrawMesh::DrawMesh(std::span<const Vec3> positions, std::span<const std::int32_t> face_offsets,
                   std::span<const std::int32_t> corners, std::span<const Vec2> uvs)
    : DrawMesh(source_from_arrays(positions, face_offsets, corners, uvs)) {}

void DrawMesh::prepare(const Mesh& mesh, const std::vector<std::int32_t>& place_of) {
  place_of_ = place_of;
  face_count_ = mesh.face_count();
  uvs_ = mesh.uvs.raw();
  for (VertexId v : mesh.corners) corner_vertices_.push_back(v.value);
  for (const TriangleCorners& cut : triangulate(mesh)) {
    const auto size = static_cast<int>(mesh.face_size(cut.face));
    Triangle t;
    t.face = cut.face.value;
    for (std::size_t i = 0; i < 3; ++i) {
      t.corners[i] = cut.corners[i].value;
      t.vertices[i] = corner_vertices_[cut.corners[i].index()];
      // A side is a polygon edge when its ends follow each other around the polygon.
      const int step = cut.corners[(i + 2) % 3].value - cut.corners[(i + 1) % 3].value;
      t.is_edge[i] = std::abs(step) == 1 || std::abs(step) == size - 1;
    }
    triangles_.push_back(t);
  }
}

std::vector<Eigen::Vector3f> DrawMesh::normals(std::span<const Eigen::Vector3f> positions) const {
  std::vector<Eigen::Vector3f> sums(vertex_count(), Eigen::Vector3f::Zero());
  for (const Triangle& t : triangles_)
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector3f& p = positions[std::size_t(t.vertices[i])];
      const Eigen::Vector3f a = positions[std::size_t(t.vertices[(i + 1) % 3])] - p;
      const Eigen::Vector3f b = positions[std::size_t(t.vertices[(i + 2) % 3])] - p;
      // Max 1999, "Weights for computing vertex normals": exact on a sphere, whatever the triangles.
      const float weight = a.squaredNorm() * b.squaredNorm();
      if (weight > 0) sums[std::size_t(place_of_[std::size_t(t.vertices[i])])] += a.cross(b) / weight;
    }
  for (Eigen::Vector3f& n : sums) {
    const float length = n.norm();
    n = length > 0 && std::isfinite(length) ? Eigen::Vector3f(n / length) : Eigen::Vector3f::Zero();
  }
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v] = sums[std::size_t(place_of_[v])];
  return sums;
}

DrawMesh DrawMesh::flattened(std::span<const Vec2> uvs) const {
  if (uvs.empty() || uvs.size() != corner_count())
    throw InputError(fmt::format("a flat picture needs one texture coordinate a corner: {} for {}",
                                 uvs.size(), corner_count()));
  DrawMesh flat;
  flat.triangles_ = triangles_;
  for (Triangle& t : flat.triangles_) t.vertices = t.corners;
  flat.uvs_.assign(uvs.begin(), uvs.end());
  flat.face_count_ = face_count_;
  flat.corner_vertices_.resize(corner_count());
  std::iota(flat.corner_vertices_.begin(), flat.corner_vertices_.end(), 0);
  flat.place_of_ = flat.corner_vertices_;
  return flat;
}

}  // namespace cutis
