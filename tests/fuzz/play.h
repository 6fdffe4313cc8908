#pragma once

#include <filesystem>

#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"

namespace cutis::fuzz {

/// All meshes of a character at rest and in the middle of its first clip. A body has no file to name, so here
/// its errors get one.
inline void play(const Character& character, const std::filesystem::path& file) {
  RigChoice all;
  all.meshes = {"*"};
  try {
    const RigBody body(character, all);
    const double middle = body.duration().begin + 0.5 * body.duration().length();
    body.source_positions(middle);
    body.smooth_positions(middle);
    body.joint_transforms(middle);
  } catch (const InputError& error) {
    throw InputError(file.filename().string() + ": " + error.what());
  }
}

}  // namespace cutis::fuzz
