#pragma once

#include <filesystem>

#include "cutis/body/rig/character.h"

namespace cutis {

/// Reads a character from glTF 2.0, .gltf or .glb, with all its nodes (whatever scene they are in), skins,
/// morph targets and clips; pictures, materials, cameras and lights are left alone.
///
/// One MeshInstance for each node that carries a mesh, in the order of the nodes. It has the vertices of the
/// mesh's triangle primitives one after another (primitives that share their vertices in the file share them
/// here), weights that sum to one, and texture coordinates turned so that v points upwards. Names of meshes
/// and of clips are made unique; nameless ones are called mesh_0, clip_0, by their index in the file. What
/// was repaired or left out is said through log().
///
/// Throws InputError that names the file and the place: damaged or truncated files, indices and accessors out
/// of range, cyclic node trees, numbers that are not finite, counts that do not match, extensions that are
/// required and not understood (for instance mesh compression), no triangles at all.
Character read_gltf(const std::filesystem::path& path);

}  // namespace cutis
