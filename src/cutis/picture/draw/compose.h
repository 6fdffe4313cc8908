#pragma once

#include <string>
#include <vector>

#include "cutis/picture/draw/color_map.h"
#include "cutis/picture/render/image.h"

namespace cutis {

struct Panel {
  Image image;
  std::string caption;  ///< below it; may be empty
};

/// Puts pictures on a page, row by row, with captions below and a title above where there are any. A panel
/// smaller than the largest is centred in its place. Throws InputError when there is no panel.
Image contact_sheet(const std::vector<Panel>& panels, int columns, const std::string& title);
/// One row of them.
Image side_by_side(const std::vector<Panel>& panels, const std::string& title);

/// Where a legend's colour bar lies, in pixels.
struct LegendBar {
  int x = 0, y = 0, width = 0, height = 0;
  std::vector<double> ticks;  ///< values with a label, from below
  /// The row where a value lies on the bar.
  double row(const ColorScale& scale, double value) const;
};

/// Draws a colour bar with ticks, title and unit at the right edge of a picture.
LegendBar draw_legend(Image& image, const ColorScale& scale);

/// The picture with a strip of paper at its right that holds the legend, as large as in a picture of this
/// height; how wide that strip is, in pixels.
Image with_legend(const Image& picture, const ColorScale& scale, int height);
int legend_room(const ColorScale& scale, int height);

/// The size of ordinary text that suits a picture of this height, in pixels.
double text_size_for(int height);

}  // namespace cutis
