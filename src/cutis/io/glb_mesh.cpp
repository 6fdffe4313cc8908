#include "cutis/io/glb_mesh.h"

#include <map>
#include <utility>

#include "cutis/surface/triangulate.h"

namespace cutis {
namespace {

/// Finds the vertex that carries a texture coordinate for a source vertex, or makes it.
class UvSplitter {
 public:
  explicit UvSplitter(GlbMesh& mesh) : mesh_(mesh), taken_(mesh.vertex_count(), false) {}

  std::uint32_t vertex(SourceVertexId v, const Vec2& uv) {
    const Eigen::Vector2f flipped(static_cast<float>(uv.x()), static_cast<float>(1 - uv.y()));
    if (!taken_[v.index()]) {
      taken_[v.index()] = true;
      mesh_.uvs[v.index()] = flipped;
    }
    if (mesh_.uvs[v.index()] == flipped) return static_cast<std::uint32_t>(v.index());
    const auto next = static_cast<std::uint32_t>(mesh_.vertex_count());
    const auto [copy, is_new] = copies_.try_emplace({v, {flipped.x(), flipped.y()}}, next);
    if (is_new) {
      mesh_.source_of.push_back(v);
      mesh_.uvs.push_back(flipped);
    }
    return copy->second;
  }

 private:
  GlbMesh& mesh_;
  std::vector<bool> taken_;
  std::map<std::pair<SourceVertexId, std::pair<float, float>>, std::uint32_t> copies_;
};

}  // namespace

GlbMesh::GlbMesh(const SourceMesh& mesh) : weld(cutis::weld(mesh, default_weld_tolerance(mesh))) {
  for (SourceVertexId v : ids<SourceVertexId>(mesh.vertex_count())) source_of.push_back(v);
  if (mesh.has_uvs()) uvs.assign(mesh.vertex_count(), Eigen::Vector2f::Zero());
  std::vector<std::uint32_t> vertex_of(mesh.corner_count());
  UvSplitter splitter(*this);
  for (CornerId c : ids<CornerId>(mesh.corner_count())) {
    const SourceVertexId v = mesh.corners[c];
    vertex_of[c.index()] =
        mesh.has_uvs() ? splitter.vertex(v, mesh.uvs[c]) : static_cast<std::uint32_t>(v.index());
  }
  for (const TriangleCorners& triangle : triangulate(mesh)) {
    const auto [a, b, c] = triangle.corners;
    const SourceVertexId va = mesh.corners[a], vb = mesh.corners[b], vc = mesh.corners[c];
    if (va == vb || vb == vc || vc == va) continue;  // a face that names a vertex twice
    for (CornerId corner : triangle.corners) indices.push_back(vertex_of[corner.index()]);
  }
}

}  // namespace cutis
