#pragma once

#include <map>
#include <utility>

#include "cutis/core/float_image.h"

namespace cutis {

/// A texture: one image that repeats, or the images of a UDIM layout, which lie side by side.
struct TextureTiles {
  std::map<std::pair<int, int>, FloatImage> tiles;  ///< by column and row, (0, 0) first; all of one size
  bool repeats = true;                              ///< one image, (0, 0), everywhere
};

struct TextureReach {
  double metres = 0;  ///< past the border of each chart
  double pixels = 0;  ///< the same where it is given in pixels of the texture; else 0

  /// [m] where a pixel is that long [m].
  double in_metres(double pixel_length) const { return pixels > 0 ? pixels * pixel_length : metres; }
  /// With what filtering looks up beside it: a pixel is looked up between the centres of four.
  double with_filter(double pixel_length) const { return in_metres(pixel_length) + 1.5 * pixel_length; }
};

}  // namespace cutis
