#include "examples.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

fs::path examples_folder() {
  if (const char* given = std::getenv("CUTIS_EXAMPLES")) return given;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / CUTIS_INSTALLED_EXAMPLES;
  return fs::is_directory(installed, ignored) ? installed : fs::path(CUTIS_SOURCE_EXAMPLES);
}

std::string first_comment(const fs::path& shot) {
  std::ifstream in(shot);
  std::string line;
  std::getline(in, line);
  return line.starts_with("# ") ? line.substr(2) : "";
}

}  // namespace

std::vector<Example> examples() {
  std::vector<Example> found;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(examples_folder(), code)) {
    const fs::path shot = entry.path() / "shot.toml";
    if (fs::is_regular_file(shot))
      found.push_back({entry.path().filename().string(), shot, first_comment(shot)});
  }
  std::sort(found.begin(), found.end(), [](const Example& a, const Example& b) { return a.name < b.name; });
  return found;
}

Example find_example(const std::string& name) {
  const std::vector<Example> all = examples();
  if (all.empty())
    throw InputError(
        fmt::format("{}: no examples there; set CUTIS_EXAMPLES to their folder", examples_folder().string()));
  std::vector<std::string> names;
  for (const Example& example : all) {
    if (example.name == name) return example;
    names.push_back(example.name);
  }
  const std::string near = nearest_word(name, names);
  throw InputError(fmt::format("\"{}\": no such example{}; there are: {}", name,
                               near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                               fmt::join(names, ", ")));
}

}  // namespace cutis::app
