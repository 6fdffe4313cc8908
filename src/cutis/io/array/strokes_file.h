#pragma once

#include <filesystem>
#include <vector>

#include "cutis/body/anatomy/stroke.h"

namespace cutis {

/// Strokes as a file has them; docs/langer-lines.md describes the format.
struct StrokesFile {
  std::vector<Stroke> strokes;
  std::filesystem::path drawn_on;  ///< the character they were drawn on, absolute; empty: the shot's own body
};

/// Throws InputError naming the file and the stroke when it is missing, larger than 64 MiB, no JSON, or a
/// stroke is not one: unknown keys, fewer than two points, numbers that are not finite or beyond a thousand
/// kilometres, a bone that no human has, an angle beyond 100 turns.
StrokesFile read_strokes(const std::filesystem::path& path);

}  // namespace cutis
