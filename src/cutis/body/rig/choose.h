#pragma once

#include <string>
#include <vector>

#include "cutis/core/error.h"

namespace cutis {

/// A name that the shot chose is not there; thrown by fail_unknown.
class UnknownName : public InputError {
 public:
  UnknownName(const std::string& message, std::string kind, std::string name)
      : InputError(message), kind(std::move(kind)), name(std::move(name)) {}
  std::string kind, name;  ///< "clip", "Rum"
};

/// "fox: there is no clip "Rum"; did you mean "Run"?; it has Run, Walk", as an UnknownName. `owner` is the
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
