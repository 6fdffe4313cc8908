#pragma once

#include <filesystem>

#include "cutis/body/rig/morph_table.h"

namespace cutis {

/// Reads weights of blend shapes over time. CSV: a first line of names, `time` [s] first, then a line a key,
/// separated by commas, semicolons or tabs. JSON (.json): an object with a list `time` and a list a name, all
/// of one length. Throws InputError naming file and line or name when numbers are missing, not finite, or
/// times do not rise.
MorphTable read_morph_table(const std::filesystem::path& path);

}  // namespace cutis
