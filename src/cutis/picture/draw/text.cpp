#include "cutis/picture/draw/text.h"

#include <cmath>
#include <mutex>
#include <vector>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "cutis/core/error.h"

extern "C" const unsigned char cutis_font_begin[];
extern "C" const unsigned char cutis_font_end[];

namespace cutis {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// FreeType faces are not for several threads at once: whoever draws holds the lock.
class Face {
 public:
  Face() {
    const auto size = static_cast<FT_Long>(cutis_font_end - cutis_font_begin);
    if (FT_Init_FreeType(&library_) != 0 ||
        FT_New_Memory_Face(library_, cutis_font_begin, size, 0, &face_) != 0)
      throw IoError("the embedded font cannot be opened: this build of Cutis is damaged");
  }
  ~Face() {
    FT_Done_Face(face_);
    FT_Done_FreeType(library_);
  }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  FT_Face at_size(double size) {
    FT_Set_Char_Size(face_, 0, static_cast<FT_F26Dot6>(std::lround(size * 64)), 72, 72);
    return face_;
  }
  std::mutex mutex;

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

Face& font() {
  static Face face;
  return face;
}

/// Decodes UTF-8; every byte that fits no sequence becomes one replacement character.
std::u32string decode(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : -1;
    char32_t code = more > 0 ? lead & (0x3f >> more) : lead;
    bool good = more >= 0 && i + static_cast<std::size_t>(more) < text.size();
    for (int k = 1; good && k <= more; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      good = byte >> 6 == 2;
      code = code << 6 | (byte & 0x3f);
    }
    out.push_back(!good ? kReplacement : code == '\n' ? U' ' : code);
    i += good ? static_cast<std::size_t>(more) + 1 : 1;
  }
  return out;
}

struct Glyph {
  FT_UInt index;
  long x;  ///< where it begins, in 1/64 pixel
};

/// Places the glyphs on a line with kerning; returns the width in 1/64 pixel.
long lay_out(FT_Face face, std::string_view text, std::vector<Glyph>& glyphs) {
  long x = 0;
  FT_UInt before = 0;
  for (char32_t code : decode(text)) {
    const FT_UInt index = FT_Get_Char_Index(face, code);
    FT_Vector kern{0, 0};
    if (before != 0 && index != 0) FT_Get_Kerning(face, before, index, FT_KERNING_UNFITTED, &kern);
    x += kern.x;
    glyphs.push_back({index, x});
    if (FT_Load_Glyph(face, index, FT_LOAD_NO_HINTING) == 0) x += face->glyph->linearHoriAdvance >> 10;
    before = index;
  }
  return x;
}

void draw_bitmap(Image& image, const FT_GlyphSlot slot, int x, int y, const Color& color) {
  const FT_Bitmap& bitmap = slot->bitmap;
  for (unsigned row = 0; row < bitmap.rows; ++row)
    for (unsigned column = 0; column < bitmap.width; ++column) {
      const unsigned char cover = bitmap.buffer[static_cast<long>(row) * bitmap.pitch + long(column)];
      blend(image, x + slot->bitmap_left + int(column), y - slot->bitmap_top + int(row), color,
            float(cover) / 255);
    }
}

}  // namespace

TextBox measure_text(std::string_view text, double size) {
  const std::lock_guard lock(font().mutex);
  FT_Face face = font().at_size(size);
  std::vector<Glyph> glyphs;
  const long width = lay_out(face, text, glyphs);
  const auto pixels = [](long v) { return static_cast<int>((v + 63) / 64); };
  return {pixels(width), pixels(face->size->metrics.ascender), pixels(-face->size->metrics.descender)};
}

void draw_text(Image& image, std::string_view text, int x, int y, double size, const Color& color,
               Align align) {
  const std::lock_guard lock(font().mutex);
  FT_Face face = font().at_size(size);
  std::vector<Glyph> glyphs;
  const long width = lay_out(face, text, glyphs);
  const long start = 64L * x - (align == Align::Center ? width / 2 : align == Align::Right ? width : 0);
  for (const Glyph& glyph : glyphs) {
    if (FT_Load_Glyph(face, glyph.index, FT_LOAD_NO_HINTING) != 0) continue;
    const long at = start + glyph.x;
    const long whole = at >= 0 ? at / 64 : -((63 - at) / 64);
    FT_Outline_Translate(&face->glyph->outline, at - 64 * whole, 0);
    if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) continue;
    draw_bitmap(image, face->glyph, static_cast<int>(whole), y, color);
  }
}

std::string fit_text(std::string_view text, double size, int width) {
  if (measure_text(text, size).width <= width) return std::string(text);
  std::string cut(text);
  while (!cut.empty()) {
    // A whole character goes at a time: its continuation bytes, then the byte that leads them.
    for (bool tail = true; tail && !cut.empty(); cut.pop_back())
      tail = static_cast<unsigned char>(cut.back()) >> 6 == 2;
    const std::string shown = cut + "…";
    if (measure_text(shown, size).width <= width) return shown;
  }
  return "";
}

}  // namespace cutis
