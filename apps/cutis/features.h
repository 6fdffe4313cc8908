#pragma once

#include <string>

namespace cutis::app {

/// What `cutis --version` prints: the version and what this build was made with.
std::string version_text();

}  // namespace cutis::app
