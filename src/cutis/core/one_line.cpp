#include "cutis/core/one_line.h"

namespace cutis {
namespace {

/// Bytes of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7); 0 when there is
/// none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

/// Blanks and the control characters of ASCII and of Unicode (U+0080 to U+00A0).
bool is_blank(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead <= ' ' || lead == 0x7f;
  return lead == 0xC2 && static_cast<unsigned char>(sequence[1]) <= 0xA0;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t longest) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
    const bool blank = is_blank(sequence);
    if (blank && (line.empty() || line.back() == ' ')) continue;
    if (line.size() + sequence.size() > longest) return line + "...";
    line += blank ? " " : sequence;
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace cutis
