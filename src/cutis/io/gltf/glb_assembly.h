#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cutis/body/rig/character.h"

namespace cutis {

/// What stands beside the meshes in a GLB.
struct GlbSurroundings {
  /// The glTF file whose materials (with textures) replace those of the same name; empty: they stay plain.
  std::filesystem::path materials = {};
  /// Whose joints and clips are kept, without its meshes; null: none.
  const Character* character = nullptr;
  /// The clip that moves the joints together with the meshes, sampled at `times` [s]; other clips are kept as
  /// they are.
  std::string clip = {};
  std::vector<double> times = {};
};

/// Puts GLBs that GlbWriter made into one: their meshes side by side, moved by one animation. Throws InputError when they do not fit the 4 GiB of the format together, IoError as AtomicFile
/// does.
void assemble_glb(const std::filesystem::path& path, const std::vector<std::filesystem::path>& parts,
                  const GlbSurroundings& surroundings);

}  // namespace cutis
