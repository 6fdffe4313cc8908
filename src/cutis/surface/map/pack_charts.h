#pragma once

#include <optional>
#include <vector>

#include "cutis/surface/map/extended_charts.h"
#include "cutis/surface/map/texture_tiles.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

struct PackedCharts {
  IdVector<CornerId, Vec2> uvs;  ///< of the triangles
  double scale = 1;              ///< of all charts over what it was, at most 1
};

/// Lays the charts of a texture out anew, each with the gutter that it needs to be extended by `reach`
/// (extend_texture()), without overlap: charts that shared their paint come to lie apart. All are scaled by
/// one factor, as large as is found; turned by quarters where the texture is square; never mirrored. A chart
/// stays in its UDIM tile. Where the factor is one, pixels come to lie on pixels.
///
/// Packing is by the lower and upper outline of each extended chart over a rising horizon, the largest charts
/// first (Levy, Petitjean, Ray and Maillot 2002, section 4). `triangles` are those of the charts' surface:
/// polygons stay whole. The charts are grown as far as needed. Nothing where even at 1/16 of their size there
/// is no room.
std::optional<PackedCharts> pack_charts(ExtendedCharts& charts, const TriangleMesh& triangles,
                                        const TextureTiles& texture, const TextureReach& reach);

}  // namespace cutis
