#include "support/support.h"

#include <cstdlib>
#include <string>

namespace cutis::test {
namespace fs = std::filesystem;

std::optional<fs::path> data_folder() {
  const char* given = std::getenv("CUTIS_DATA");
  const char* root = std::getenv("CUTIS_ROOT");
  const fs::path folder = given ? fs::path(given) : fs::path(root ? root : ".") / "../shared/data";
  if (!fs::is_directory(folder)) return std::nullopt;
  return fs::canonical(folder);
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  std::string name = (parent / "cutis-XXXXXX").string();
  if (!mkdtemp(name.data())) std::abort();
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace cutis::test
