#pragma once

#include <algorithm>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// `p`, where vertex v of the skin lies on the body at rest, `chord` away from home as limits measure it, or
/// the point that is about as far as `limit` allows [m]. The way back is found at rest, where the walls of a
/// crease are apart, and from home, on the vertex's own sheet.
SurfacePoint held_within(const Surface& rest, VertexId v, const SurfacePoint& p, double chord, double limit);

/// The same until `chord_of` says that the point keeps to the limit: on a curved surface, or one that is
/// measured otherwise than `rest`, the first point may not. Home where none of a few does.
template <class ChordOf>
SurfacePoint held_within(const Surface& rest, VertexId v, SurfacePoint p, double limit,
                         const ChordOf& chord_of) {
  constexpr int kTries = 8;
  constexpr double kKept = 1e-3, kCloser = 0.8;
  double aim = limit;
  for (int i = 0; i < kTries; ++i) {
    const double chord = chord_of(p);
    if (!(chord > (1 + kKept) * limit)) return p;
    p = held_within(rest, v, p, chord, aim);
    if (i >= kTries / 2) aim *= kCloser;
  }
  return chord_of(p) > (1 + kKept) * limit ? rest.point(v) : p;
}

/// `p`, or where that is further than `reach` [m] from `before` on a surface whose vertices are at
/// `positions` now, the point about as far on the way there, on the sheet of `before`: what is suddenly
/// closest across a crease is not gone to.
SurfacePoint moved_within(const Surface& rest, const Points& positions, const SurfacePoint& before,
                          const SurfacePoint& p, double reach);

/// The same until `way_of` says that it is no further than that from `before`: on a smooth surface the first
/// point may be. `before` where none of a few is.
template <class WayOf>
SurfacePoint moved_within(const Surface& rest, const Points& positions, const SurfacePoint& before,
                          const SurfacePoint& p, double reach, const WayOf& way_of) {
  constexpr int kTries = 4;
  constexpr double kKept = 1.01;
  if (!(way_of(p) > kKept * reach)) return p;
  double aim = reach;
  for (int i = 0; i < kTries; ++i) {
    const SurfacePoint near = moved_within(rest, positions, before, p, aim);
    const double way = way_of(near);
    if (!(way > kKept * reach)) return near;
    aim *= std::min(0.7, reach / way);
  }
  return before;
}

}  // namespace cutis
