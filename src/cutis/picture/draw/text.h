#pragma once

#include <string>
#include <string_view>

#include "cutis/picture/render/image.h"

namespace cutis {

enum class Align { Left, Center, Right };

/// How much room a line of text takes, in pixels.
struct TextBox {
  int width = 0;
  int ascent = 0;   ///< above the baseline
  int descent = 0;  ///< below it
};

/// Text is UTF-8, set in the embedded DejaVu Sans at `size` pixels an em. A character the font lacks, or a
/// broken sequence, shows as a box. One line: a newline counts as a space.
TextBox measure_text(std::string_view text, double size);
/// Draws with the baseline at y, beginning (or centred, or ending) at x.
void draw_text(Image& image, std::string_view text, int x, int y, double size, const Color& color,
               Align align = Align::Left);
/// The text, cut with an ellipsis where it is wider than `width` pixels.
std::string fit_text(std::string_view text, double size, int width);

}  // namespace cutis
