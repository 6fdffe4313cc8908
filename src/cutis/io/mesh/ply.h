#pragma once

#include <filesystem>

#include "cutis/body/vertex_attribute.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

struct PlyMesh {
  SourceMesh mesh;
  IdVector<SourceVertexId, Vec4> colors;  ///< red, green, blue, alpha from 0 to 1; empty when there are none
  std::vector<VertexAttribute> properties;  ///< what else its vertices have: single numbers, by name
};

/// The polygons of a PLY file: ASCII or binary of either byte order, with the file's own vertex count and
/// order, in the file's own units. Vertex colours (red, green, blue, alpha; bytes become 0 to 1) and texture
/// coordinates (of vertices: s t, u v or texture_u texture_v; of corners: a list texcoord) are read; other
/// numbers of vertices are kept by their names, lists and other elements are passed over. Throws InputError
/// naming file and place when it is damaged, an index is out of range, a number is not finite, or there is no
/// face.
PlyMesh read_ply(const std::filesystem::path& path);

/// The colours as an attribute of the vertices; nothing when there are none.
std::vector<VertexAttribute> color_attributes(const IdVector<SourceVertexId, Vec4>& colors);

}  // namespace cutis
