#pragma once

#include <cstdint>
#include <vector>

#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/weld.h"

namespace cutis {

/// A polygon mesh as glTF wants it: triangles, and one texture coordinate per vertex. The source's vertices
/// come first, in their order; copies of those with several texture coordinates follow.
struct GlbMesh {
  /// Which corners of a vertex, beyond its first, get a copy of it.
  enum class Copy {
    OtherUvs,    ///< one copy for each further texture coordinate at rest
    EveryCorner  ///< one for each, for texture coordinates that may part in any frame
  };
  explicit GlbMesh(const SourceMesh& mesh, Copy copy = Copy::OtherUvs);

  std::vector<SourceVertexId> source_of;  ///< vertex -> the source vertex it stands for
  std::vector<CornerId> corner_of;        ///< vertex -> its first corner; not valid where no face has it
  std::vector<std::uint32_t> indices;     ///< three a triangle
  std::vector<FaceId> face_of;            ///< triangle -> the face it was cut from
  Weld weld;                              ///< seams closed, for normals

  std::size_t vertex_count() const { return source_of.size(); }
  /// Texture coordinates of the corners as those of the vertices, v downwards as glTF has it; zero where no
  /// face has the vertex. Empty when there are none.
  std::vector<Vec2> uvs(const IdVector<CornerId, Vec2>& at_corners) const;
};

}  // namespace cutis
