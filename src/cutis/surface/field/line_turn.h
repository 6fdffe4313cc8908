#pragma once

#include <span>
#include <vector>

#include "cutis/surface/field/line_field.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// How a line field goes on from one triangle to the next.
struct LineTurn {
  std::size_t left = 0, right = 0;  ///< triangles that share an edge
  double angle = 0;   ///< between their lines, one hinged into the plane of the other [rad], 0..pi/2
  double length = 0;  ///< of the edge [m]
};

/// One per pair of triangles that meet along an edge, run through both ways, with no third; by the edge's
/// points. `directions` has one unit tangent a triangle. Triangles without area turn by something.
std::vector<LineTurn> line_turns(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                                 const LineDirections& directions);

/// How strokes go on in the field beside them: from the triangles with samples, by the sample's direction
/// (the last one's of several), to those without, which nothing holds to a stroke.
std::vector<LineTurn> stroke_turns(std::span<const Vec3> points, std::span<const IndexTriangle> triangles,
                                   const LineDirections& directions, std::span<const LineSample> samples);

}  // namespace cutis
