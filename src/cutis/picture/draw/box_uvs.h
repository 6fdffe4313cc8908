#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Texture coordinates, one per corner, for a mesh that has none: each face seen along the axis that it faces
/// most, so that its size in the picture is its size on the body. The largest extent of the mesh is one unit.
/// Neighbours that face different axes do not join up.
IdVector<CornerId, Vec2> box_uvs(const SourceMesh& mesh);

}  // namespace cutis
