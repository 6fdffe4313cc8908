#pragma once

#include <string>

namespace cutis {

/// What `cutis explain` prints for a key ("skin.thickness", or "thickness" wherever it stands), for a section
/// ("skin"), or, for "", for the whole shot file. Throws InputError with the nearest name for anything else.
std::string explain(const std::string& what);

/// docs/shot-reference.md: every section and key, as Markdown.
std::string reference_page();

}  // namespace cutis
