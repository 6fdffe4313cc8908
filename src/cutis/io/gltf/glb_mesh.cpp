#include "cutis/io/gltf/glb_mesh.h"

#include <map>
#include <utility>

#include "cutis/surface/mesh/triangulate.h"

namespace cutis {
namespace {

Vec2 gltf_uv(const Vec2& uv) { return Vec2(uv.x(), 1 - uv.y()); }

/// Finds the vertex of a corner, or makes it.
class CornerSplitter {
 public:
  CornerSplitter(const SourceMesh& source, GlbMesh& mesh) : source_(source), mesh_(mesh) {}

  std::uint32_t vertex(CornerId c, GlbMesh::Copy copy) {
    const SourceVertexId v = source_.corners[c];
    CornerId& first = mesh_.corner_of[v.index()];
    if (!first.valid()) first = c;
    if (first == c) return static_cast<std::uint32_t>(v.index());
    if (copy == GlbMesh::Copy::EveryCorner) return add(c);
    if (uv(c) == uv(first)) return static_cast<std::uint32_t>(v.index());
    const auto [found, is_new] = copies_.try_emplace({v, uv(c)}, 0);
    if (is_new) found->second = add(c);
    return found->second;
  }

 private:
  using Uv = std::pair<float, float>;
  const SourceMesh& source_;
  GlbMesh& mesh_;
  std::map<std::pair<SourceVertexId, Uv>, std::uint32_t> copies_;

  Uv uv(CornerId c) const {
    if (!source_.has_uvs()) return {};
    const Eigen::Vector2f uv = gltf_uv(source_.uvs[c]).cast<float>();
    return {uv.x(), uv.y()};
  }
  std::uint32_t add(CornerId c) {
    mesh_.source_of.push_back(source_.corners[c]);
    mesh_.corner_of.push_back(c);
    return static_cast<std::uint32_t>(mesh_.vertex_count() - 1);
  }
};

}  // namespace

GlbMesh::GlbMesh(const SourceMesh& mesh, Copy copy) : weld(cutis::weld(mesh, default_weld_tolerance(mesh))) {
  for (SourceVertexId v : ids<SourceVertexId>(mesh.vertex_count())) source_of.push_back(v);
  corner_of.resize(mesh.vertex_count());
  std::vector<std::uint32_t> vertex_of(mesh.corner_count());
  CornerSplitter splitter(mesh, *this);
  for (CornerId c : ids<CornerId>(mesh.corner_count())) vertex_of[c.index()] = splitter.vertex(c, copy);
  for (const TriangleCorners& triangle : triangulate(mesh)) {
    const auto [a, b, c] = triangle.corners;
    const SourceVertexId va = mesh.corners[a], vb = mesh.corners[b], vc = mesh.corners[c];
    if (va == vb || vb == vc || vc == va) continue;  // a face that names a vertex twice
    for (CornerId corner : triangle.corners) indices.push_back(vertex_of[corner.index()]);
    face_of.push_back(triangle.face);
  }
}

std::vector<Vec2> GlbMesh::uvs(const IdVector<CornerId, Vec2>& at_corners) const {
  std::vector<Vec2> result;
  if (at_corners.empty()) return result;
  for (CornerId c : corner_of) result.push_back(c.valid() ? gltf_uv(at_corners[c]) : Vec2(Vec2::Zero()));
  return result;
}

}  // namespace cutis
