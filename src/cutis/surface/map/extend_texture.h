#pragma once

#include <cstddef>

#include "cutis/surface/map/extended_charts.h"
#include "cutis/surface/map/texture_tiles.h"

namespace cutis {

struct TextureExtension {
  std::size_t filled = 0;  ///< pixels
  /// How far charts can reach before more than 1 % of what they need belongs to others, or 10 % to other
  /// places of their own; as asked where there is room for all of it.
  TextureReach room;
  bool fits = true;
  /// Two faces that need the same place; invalid where it fits.
  FaceId first, second;
  /// Of the pixels that charts need, how many lie in notches and cuts of the same chart, too narrow for both
  /// of their sides: a seam may show there.
  double cramped = 0;
  /// Of the pixels of charts, how many belong to several: mirrored halves, say, that share their paint.
  double shared = 0;
};

/// Fills the gutters around the charts of a texture with what lies beyond their borders on the surface
/// (Thin Skin, appendix A.2): each pixel within reach of a chart gets the colour of the place that the
/// extended chart has there, looked up in the chart that it is painted in. So a face that lies across a
/// border and is looked up in one chart (MovingUvs) finds the right colours.
///
/// Pixels of charts stay as they are. Where charts need the same pixel for different places, the nearer one
/// gets it, and the texture does not fit; nothing is written then unless `force` is given. With `normal_map`
/// the first two channels are a vector in tangent space (0.5 is zero), which is turned along. The charts are
/// grown as far as needed. Throws InputError when a chart lies in a tile that has no image.
TextureExtension extend_texture(ExtendedCharts& charts, TextureTiles& texture, const TextureReach& reach,
                                bool normal_map = false, bool force = false);

}  // namespace cutis
