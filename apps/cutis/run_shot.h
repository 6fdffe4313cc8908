#pragma once

#include <filesystem>

#include "cutis/shot/shot.h"

namespace cutis::app {

/// Runs a shot with progress, Ctrl-C and a closing word; returns the exit code: 0 done, 1 a figure does not
/// hold, 3 a frame could not be computed, 130 stopped.
int run_shot(const Shot& shot, const std::filesystem::path& out, bool resume);

}  // namespace cutis::app
