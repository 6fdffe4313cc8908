#include "cutis/core/one_line.h"

namespace cutis {

std::string one_line(std::string_view text, std::size_t longest) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool blank = byte <= ' ' || byte == 0x7f;
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
    if (line.size() > longest) {
      std::size_t cut = longest;  // never inside a UTF-8 sequence
      while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
      line.resize(cut);
      return line + "...";
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace cutis
