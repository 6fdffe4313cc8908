#pragma once

#include <string>
#include <vector>

#include "cutis/shot/shot.h"

namespace cutis {

struct Mistake {
  int line = 0;     ///< 0: of the whole file
  std::string key;  ///< with indices, "skin.region[0].radius"
  std::string what;
};

/// What no key can check alone: keys that exclude or need each other, lists of equal length, names that refer
/// to something. Leaves out sections in which mistakes were found already.
std::vector<Mistake> check_rules(const Shot& shot, const std::vector<Mistake>& found);

}  // namespace cutis
