#pragma once

#include <cstddef>

#include "cutis/body/rig/character.h"
#include "cutis/io/gltf/gltf_reader_file.h"

namespace cutis {

/// Mesh `mesh` of the file with morph targets and their default weights; with joint weights when
/// `joint_count`, the size of the skin that carries it, is above zero. Part of read_gltf().
MeshInstance read_gltf_mesh(const GltfFile& file, std::size_t mesh, std::size_t joint_count);

}  // namespace cutis
