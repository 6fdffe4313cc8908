#pragma once

#include <filesystem>

#include "cutis/body/rig/character.h"

namespace cutis {

/// Writes a character as a GLB (binary glTF 2.0) with its joints, weights, blend shapes and clips, in 32-bit
/// floats. Polygons are cut into triangles and vertices with several texture coordinates get copies, as
/// GlbMesh makes them. Left out: painted attributes, and the shear of a node's matrix. Throws InputError for
/// a character whose mesh has no faces or does not fit the 4 GiB of the format, IoError as AtomicFile does.
void write_glb_character(const std::filesystem::path& path, const Character& character);

}  // namespace cutis
