#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cutis::app {

struct Example {
  std::string name;
  std::filesystem::path shot;
  std::string description;  ///< the comment that opens its shot file
};

/// The examples that came with the program: $CUTIS_EXAMPLES, beside the installed program, or in the source
/// tree.
std::vector<Example> examples();

/// Throws InputError with the nearest name when there is no such example.
Example find_example(const std::string& name);

/// The one that `cutis demo` runs when none is named.
constexpr const char* kDefaultExample = "dancer";

}  // namespace cutis::app
