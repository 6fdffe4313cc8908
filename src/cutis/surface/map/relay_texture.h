#pragma once

#include "cutis/surface/map/extended_charts.h"
#include "cutis/surface/map/texture_tiles.h"

namespace cutis {

/// A texture in another layout of the same surface: what it shows in the charts of `from`, as large and in as
/// many tiles, in those of `to`. The charts themselves and eight pixels around them, that filtering at a
/// border sees no background; extend_texture() paints what lies beyond borders. Pixels that are smaller than
/// before are means. `normal_map` as in extend_texture(). Throws InputError when a chart lies in a tile that
/// has no image.
TextureTiles relaid_texture(const ExtendedCharts& from, TextureTiles& texture, const ExtendedCharts& to,
                            bool normal_map = false);

}  // namespace cutis
