#pragma once

#include <filesystem>
#include <string>

#include "cutis/shot/shot.h"

namespace cutis::app {

/// The text of a first shot for a character, to lie in the file `shot`.
std::string character_shot_text(const std::filesystem::path& character, const std::filesystem::path& shot,
                                SkinMethod method);

/// The shot that `cutis new` would write for a character, read back: what `cutis simulate CHARACTER` runs.
Shot character_shot(const std::filesystem::path& character);

}  // namespace cutis::app
