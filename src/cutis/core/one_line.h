#pragma once

#include <string>
#include <string_view>

namespace cutis {

/// Text from a file as a message may show it: on one line, in good UTF-8 (other bytes become "?"), each run
/// of blanks and control characters as one blank, cut to `longest` bytes with "..." behind.
std::string one_line(std::string_view text, std::size_t longest = 300);

}  // namespace cutis
