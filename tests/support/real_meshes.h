#pragma once

#include "support/meshes.h"

namespace cutis::test {

/// Every mesh of every character (.glb, .gltf, .obj) in the shared data as its file has it, welded; in a
/// fixed order. Empty where the folder is missing.
const std::vector<NamedMesh>& real_meshes();

/// The same, repaired and cut into triangles: what methods work on.
const std::vector<NamedMesh>& real_surfaces();

}  // namespace cutis::test
