#pragma once

#include <cstdint>
#include <vector>

#include "cutis/surface/mesh.h"
#include "cutis/surface/weld.h"

namespace cutis {

/// A polygon mesh as glTF wants it: triangles, and one texture coordinate a vertex. The source's vertices
/// come first, in their order; copies of those with several texture coordinates follow.
struct GlbMesh {
  explicit GlbMesh(const SourceMesh& mesh);

  std::vector<SourceVertexId> source_of;  ///< vertex -> the source vertex it stands for
  std::vector<Eigen::Vector2f> uvs;       ///< v downwards, as glTF has it; empty when there are none
  std::vector<std::uint32_t> indices;     ///< three a triangle
  Weld weld;                              ///< seams closed, for normals

  std::size_t vertex_count() const { return source_of.size(); }
};

}  // namespace cutis
