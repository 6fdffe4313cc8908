#pragma once

#include <optional>
#include <vector>

#include "cutis/surface/geodesic/geodesic.h"

namespace cutis {

/// The surface around a point laid into its tangent plane: each vertex at its geodesic distance, in the
/// direction in which the shortest path to it leaves [m].
struct LogMap {
  std::vector<VertexId> vertices;  ///< within the radius, nearest first
  std::vector<Vec2> coordinates;   ///< one for each of them
};

/// Around a point: coordinates in the frame of its face, x along the face's first half-edge, y into the face.
/// Directions over the point's own edge are unfolded. When the point is a corner, directions in its face are
/// true, those within the opposite wedge are the straight ways on (equal angles on both sides), and what lies
/// between is spread evenly: tracing a coordinate from the point arrives at its vertex. `result` is
/// overwritten, its memory is used again.
void log_map(Geodesics& geodesics, const SurfacePoint& centre, double radius, LogMap& result);

/// Around a vertex: directions counter-clockwise from topology.halfedge(centre), scaled to a full turn; at a
/// border vertex they are the true angles.
void log_map(Geodesics& geodesics, VertexId centre, double radius, LogMap& result);

/// The coordinates of one vertex in that frame around the source of its shortest path, after a query from
/// vertices, several at once if wanted. It must be within the radius of that query.
Vec2 log_coordinates(const Geodesics& geodesics, VertexId source, VertexId v);

/// Where one point lies in the tangent plane of another (frame as for a point above): its length is their
/// distance. Nothing when it is farther than `radius`.
std::optional<Vec2> log_point(Geodesics& geodesics, const SurfacePoint& from, const SurfacePoint& to,
                              double radius = Geodesics::infinity);

}  // namespace cutis
