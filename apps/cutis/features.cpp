#include "features.h"

#include <fmt/format.h>

#include "cutis/core/version.h"
#include "cutis/run/machine.h"

namespace cutis::app {

std::string version_text() {
  std::string text = fmt::format("cutis {}", version());
  for (const auto& [name, its_version] : software_versions())
    if (name != "cutis") text += fmt::format("\n  {} {}", name, its_version);
  return text + "\n  alembic not read";
}

}  // namespace cutis::app
