#pragma once

#include <span>

#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

enum class AtBorder {
  Stop,  ///< the path ends where it meets the border
  Slide  ///< it goes on along the border with what is left of the vector along it, until it can leave again
};

enum class TraceEnd {
  Arrived,  ///< the whole vector was walked
  Border,   ///< a border was in the way (when sliding: a corner that no part of the vector leads out of)
  Limit     ///< options.max_crossings was reached, or the vector was not finite
};

struct TraceOptions {
  AtBorder at_border = AtBorder::Stop;
  int max_crossings = 1 << 16;
  /// Where the places of the path are written: the start, each crossing, the end. A path longer than this is
  /// cut short here, never elsewhere.
  std::span<SurfacePoint> path = {};
};

struct TraceResult {
  SurfacePoint end;
  Vec3 direction;     ///< unit, the vector carried along to the plane of end.face; zero when it had no length
  double length = 0;  ///< walked [m]
  TraceEnd reason = TraceEnd::Arrived;
  int crossings = 0;          ///< edges and vertices passed
  std::size_t path_size = 0;  ///< places written to options.path
};

/// Walks straight on from `start` over a triangle mesh: a straightest geodesic (Polthier and Schmies 1998).
///
/// `vector` [m] is a 3D vector in the plane of start.face (a part normal to it is dropped); its length is how
/// far to go. For components in the face's own frame, see face_frame() in frames.h. To walk back, trace from
/// `end` by `-length * direction`.
///
/// Across an edge the neighbour is unfolded into the plane. A vertex met on the way is left with equal angles
/// on both sides. A start on an edge or a vertex (zero barycentrics) is fine: a vector that leaves the named
/// face over an edge is unfolded; at a vertex it leaves the wedge of the face opposite by the half-angle
/// rule, and in between the directions are spread evenly over the angle that is left. Paths within 1e-11 of
/// an edge's length of a vertex go through it; those along an edge run to its end, also along a border, and a
/// path that ends on a border within as much has arrived.
///
/// Allocates nothing and keeps nothing between calls: safe to call from many threads, on new positions each
/// frame. Zero-area faces and zero-length edges are passed through; the result is always a point of the mesh.
TraceResult trace(const Topology& triangles, const Points& positions, const SurfacePoint& start,
                  const Vec3& vector, const TraceOptions& options = {});

}  // namespace cutis
