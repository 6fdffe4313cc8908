#pragma once

#include <map>
#include <string>
#include <vector>

#include "cutis/body/rig/character.h"
#include "cutis/io/usd/usda_mesh.h"

namespace cutis {

/// What a rig is put together from.
struct UsdRigSource {
  const std::string& file;
  const std::map<std::string, UsdPlace>& prims;  ///< all that are defined, by path
  const std::vector<UsdPlace>& meshes;
  Mat4 to_metres;         ///< from the file's world to metres, y up
  double codes_a_second;  ///< time codes
};

/// The path of the skeleton that a mesh is bound to, by itself or by a prim above it; "" where there is none.
std::string bound_skeleton(const UsdPlace& mesh);

/// The meshes with their skeletons (UsdSkel): joints, rest and bind transforms, linear skinning, and the
/// SkelAnimation of each skeleton as part of one clip: linear between its samples, rotations along the short
/// arc. A mesh without a skeleton stands still where it is at its first time. Blend shapes, dual
/// quaternions and what moves besides are left out with a word. Throws InputError naming file, line and prim
/// when numbers do not fit together or a skeleton itself is moved.
Character usd_character(const UsdRigSource& source);

}  // namespace cutis
