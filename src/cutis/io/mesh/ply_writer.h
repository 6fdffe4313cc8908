#pragma once

#include <filesystem>
#include <vector>

#include "cutis/body/vertex_attribute.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A binary PLY file, little-endian: 64-bit positions, faces of up to 255 corners, and each attribute as
/// properties of the vertices, 64-bit; one with three components as NAME_x, NAME_y and NAME_z, with others as
/// NAME_0, NAME_1 and so on. Names must not contain spaces. Written whole; throws IoError.
void write_ply(const std::filesystem::path& path, const Mesh& mesh,
               const std::vector<VertexAttribute>& attributes);

}  // namespace cutis
