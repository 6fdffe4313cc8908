#pragma once

#include <string>
#include <string_view>

namespace cutis {

/// What the JSON library says of broken text, in the words of this program:
/// "[json.exception.parse_error.101] parse error at line 3, column 7: syntax error while parsing object key -
/// invalid literal; last read: '{x'" is "line 3, column 7: invalid literal; last read: '{x'". Other messages
/// stay as they are.
std::string json_words(std::string_view message);

}  // namespace cutis
