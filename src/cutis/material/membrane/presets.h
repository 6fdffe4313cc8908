#pragma once

#include <string>
#include <vector>

#include "cutis/material/membrane/skin_law.h"

namespace cutis {

/// Measured skins, in the order of skin_presets(); the first is the default.
enum class MaterialPreset {
  HumanForearm,
  HumanForearmOld,
  HumanFinger,
  HumanChest,
  HumanAbdomen,
  HumanBack,
  Pig,
  PigSoft,
  Rabbit
};

/// Constants with what they were measured on; docs/materials.md has the reasoning.
struct SkinPreset {
  std::string name;    ///< the word in shot files
  std::string skin;    ///< whose, where on the body, how measured
  std::string source;  ///< the publication
  SkinLaw law;
};

const std::vector<SkinPreset>& skin_presets();
const SkinPreset& skin_preset(MaterialPreset preset);

}  // namespace cutis
