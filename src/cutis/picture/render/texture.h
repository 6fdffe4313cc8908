#pragma once

#include <vector>

#include "cutis/picture/render/image.h"

namespace cutis {

/// An image to wrap around a mesh. Repeats outside [0, 1]; v points up. Keeps ever smaller copies of itself,
/// so that far away it is smooth rather than noisy.
class Texture {
 public:
  enum class Values {
    Colors,  ///< sRGB; samples are in linear light
    Numbers  ///< as they are, 0 to 1: a normal map
  };
  explicit Texture(const Raster& image, Values values = Values::Colors);
  /// The mean over about `footprint` (in units of uv) around uv.
  Color sample(const Vec2& uv, double footprint) const;

 private:
  struct Level {
    int width, height;
    std::vector<Color> texels;
  };
  std::vector<Level> levels_;
};

/// A checker whose squares can be told apart, so that sliding can be followed: `cells` x `cells` squares over
/// the unit square, light and dark in turn, with a hue that wanders over the chart. Averages over
/// `footprint` (in units of uv), so that it never flickers.
Color checker_color(const Vec2& uv, double footprint, int cells);

}  // namespace cutis
