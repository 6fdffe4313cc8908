#include "cutis/io/json_words.h"

#include <regex>

namespace cutis {

std::string json_words(std::string_view message) {
  static const std::regex mark("\\[json\\.exception\\.[a-z_.0-9]+\\] *"),
      place("parse error at (line [0-9]+, column [0-9]+): *"), parse("parse error(?:: *)?"),
      doing("syntax error(?: while parsing [a-z ]+ -)? *"), missing("key '([^']*)' not found");
  std::string text(message);
  if (text.find("[json.exception.") == std::string::npos) return text;
  text = std::regex_replace(text, mark, "");
  text = std::regex_replace(text, place, "$1: ");
  text = std::regex_replace(text, parse, "");
  text = std::regex_replace(text, doing, "");
  return std::regex_replace(text, missing, "\"$1\" is missing");
}

}  // namespace cutis
