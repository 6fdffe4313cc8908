#pragma once

#include <string>
#include <vector>

namespace cutis {

/// "fox: there is no clip "Rum"; did you mean "Run"?; it has Run, Walk", as an InputError. `owner` is the
/// name of the character, `kind` what was looked for.
[[noreturn]] void fail_unknown(const std::string& owner, const std::string& kind, const std::string& name,
                               const std::vector<std::string>& known);

/// A moment of a motion, as "Run@0.5s" says it; the clip is empty in "@0.5s".
struct NamedPose {
  std::string clip;
  double time = 0;  ///< [s]
};

/// Throws InputError when `rest` cannot be understood.
NamedPose parse_named_pose(const std::string& owner, const std::string& rest);

}  // namespace cutis
