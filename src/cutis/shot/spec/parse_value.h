#pragma once

#include <filesystem>

#include "cutis/shot/spec/spec.h"

namespace cutis {

/// Turns what stands in the file into what the key wants, paths absolute from `folder`. Throws InputError
/// with only the mistake ("wrong type (true); give a number"); the caller puts the place in front.
Value parse_value(const TomlNode& node, const Key& key, const std::filesystem::path& folder);

/// Whether maps can be of this format, by its ending.
bool is_map_image(const std::filesystem::path& file);

/// The key's default; monostate where it has none.
Value default_value(const Key& key);

/// `; did you mean "thickness"?`, or "" when no candidate is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace cutis
