#include "cutis/picture/draw/compose.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/picture/draw/text.h"

namespace cutis {
namespace {

const Color& paper() {
  static const Color color = srgb(0xffffff);
  return color;
}
const Color& ink() {
  static const Color color = srgb(0x2b3440);
  return color;
}
const Color& faint_ink() {
  static const Color color = srgb(0x59636e);
  return color;
}

}  // namespace

double text_size_for(int height) { return std::clamp(height / 36.0, 10.0, 40.0); }

Image contact_sheet(const std::vector<Panel>& panels, int columns, const std::string& title) {
  if (panels.empty()) throw InputError("a page of pictures needs at least one picture");
  columns = std::clamp(columns, 1, static_cast<int>(panels.size()));
  const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
  int cell_width = 0, cell_height = 0;
  bool captions = false;
  for (const Panel& panel : panels) {
    cell_width = std::max(cell_width, panel.image.width);
    cell_height = std::max(cell_height, panel.image.height);
    captions = captions || !panel.caption.empty();
  }
  const double size = text_size_for(cell_height), title_size = 1.7 * size;
  const int gap = static_cast<int>(std::lround(0.8 * size)), margin = 2 * gap;
  const int caption_room = captions ? static_cast<int>(std::lround(1.9 * size)) : 0;
  const int title_room = title.empty() ? 0 : static_cast<int>(std::lround(2.2 * title_size));
  const int width = 2 * margin + columns * cell_width + (columns - 1) * gap;
  const int height = 2 * margin + title_room + rows * (cell_height + caption_room) + (rows - 1) * gap;
  Image page = blank(width, height, paper());
  draw_text(page, fit_text(title, title_size, width - 2 * margin), margin,
            margin + static_cast<int>(std::lround(title_size)), title_size, ink());
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    const int x = margin + column * (cell_width + gap);
    const int y = margin + title_room + row * (cell_height + caption_room + gap);
    const Image& image = panels[i].image;
    paste(page, image, x + (cell_width - image.width) / 2, y + (cell_height - image.height) / 2);
    draw_text(page, fit_text(panels[i].caption, size, cell_width), x + cell_width / 2,
              y + cell_height + static_cast<int>(std::lround(1.35 * size)), size, faint_ink(), Align::Center);
  }
  return page;
}

Image side_by_side(const std::vector<Panel>& panels, const std::string& title) {
  return contact_sheet(panels, static_cast<int>(panels.size()), title);
}

double LegendBar::row(const ColorScale& scale, double value) const {
  return y + height * (scale.high - value) / (scale.high - scale.low);
}

namespace {

std::string legend_heading(const ColorScale& scale) {
  return scale.unit.empty() ? scale.title : fmt::format("{} [{}]", scale.title, scale.unit);
}

double legend_text_size(int height) { return 0.92 * text_size_for(height); }

}  // namespace

LegendBar draw_legend(Image& image, const ColorScale& scale) {
  const double size = legend_text_size(image.height);
  LegendBar bar;
  bar.ticks = nice_ticks(scale.low, scale.high, 5);
  const double step = bar.ticks.size() > 1 ? bar.ticks[1] - bar.ticks[0] : 1;
  int label_width = 0;
  for (double tick : bar.ticks)
    label_width = std::max(label_width, measure_text(tick_label(tick, step), size).width);
  const std::string heading = legend_heading(scale);
  const int margin = static_cast<int>(std::lround(1.6 * size));
  const int gap = static_cast<int>(std::lround(0.5 * size));
  bar.width = static_cast<int>(std::lround(0.95 * size));
  bar.height = std::max(1, static_cast<int>(std::lround(0.5 * image.height)));
  bar.x = image.width - margin - label_width - gap - bar.width;
  bar.y = (image.height - bar.height) / 2;

  for (int row = 0; row < bar.height; ++row) {
    const double t = 1 - (row + 0.5) / bar.height;
    fill(image, bar.x, bar.y + row, bar.width, 1, color_at(scale.map, t));
  }
  for (double tick : bar.ticks) {
    const double y = bar.row(scale, tick);
    draw_line(image, Vec2(bar.x + bar.width - 0.3 * size, y), Vec2(bar.x + bar.width, y), 1, paper(), 0.8f);
    draw_text(image, tick_label(tick, step), image.width - margin,
              static_cast<int>(std::lround(y + 0.36 * size)), size, ink(), Align::Right);
  }
  draw_text(image, fit_text(heading, size, image.width - 2 * margin), image.width - margin,
            bar.y - static_cast<int>(std::lround(0.9 * size)), size, ink(), Align::Right);
  return bar;
}

int legend_room(const ColorScale& scale, int height) {
  constexpr double kMargins = 3.2, kLeast = 6;  // in sizes of the text
  const double size = legend_text_size(height);
  const double heading = measure_text(legend_heading(scale), size).width;
  return static_cast<int>(std::ceil(std::max(heading + kMargins * size, kLeast * size)));
}

Image with_legend(const Image& picture, const ColorScale& scale, int height) {
  Image strip = blank(legend_room(scale, height), height, paper());
  draw_legend(strip, scale);
  Image page = blank(picture.width + strip.width, picture.height, paper());
  paste(page, picture, 0, 0);
  paste(page, strip, picture.width, (picture.height - height) / 2);
  return page;
}

}  // namespace cutis
