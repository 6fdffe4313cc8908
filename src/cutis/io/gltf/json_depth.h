#pragma once

#include <string_view>

namespace cutis {

/// Whether arrays and objects lie in one another more than `limit` deep. Looks at the brackets only; to be
/// asked before a parser whose values copy, compare or free themselves by recursion.
bool json_nests_deeper(std::string_view json, int limit);

}  // namespace cutis
