#pragma once

#include <string>
#include <vector>

namespace cutis {

/// All names that human_bones() may give, and that strokes may run around.
std::vector<std::string> human_bone_names();

}  // namespace cutis
