#pragma once

#include <string>
#include <vector>

#include "cutis/body/rig/character.h"

namespace cutis {

/// Weights of blend shapes over time, as a table has them.
struct MorphTable {
  std::string file;                          ///< where it came from, for messages
  std::vector<double> times;                 ///< [s], strictly increasing, at least one
  std::vector<std::string> names;            ///< of blend shapes
  std::vector<std::vector<double>> weights;  ///< of each name, one per time
};

/// Lets the table move the blend shapes of its names, in every mesh that has them, linear between its times.
/// What the clip says about blend shapes of the same meshes is replaced; those that the table leaves out keep
/// the weight they have in the file. `clip` is the one to change: "" for the first, "none" or a character
/// without clips for a new one. Returns the name of the clip that now moves them. Throws InputError when
/// there is no such clip, or a name is that of no blend shape (with those there are).
std::string drive_morphs(Character& character, const MorphTable& table, const std::string& clip);

}  // namespace cutis
