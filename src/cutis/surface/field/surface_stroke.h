#pragma once

#include <span>
#include <vector>

#include "cutis/surface/field/line_field.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {

/// A line drawn on a surface, as places a short step apart. It names faces and barycentrics only, so on
/// another surface of the same faces it is the same line, carried exactly.
using SurfaceStroke = std::vector<SurfacePoint>;

/// A polyline near a surface [m], laid onto it: cut into steps of at most `step` [m], each moved to the
/// closest point. At least two points.
SurfaceStroke lay_polyline(const ClosestPointTree& surface, std::span<const Vec3> polyline, double step);

/// What strokes say about the faces they run through: one sample for each stroke and face, the mean of the
/// stroke's direction there. Where two neighbouring places are further than `largest_gap` [m] apart the
/// stroke is broken.
std::vector<LineSample> line_samples(const Surface& surface, std::span<const SurfaceStroke> strokes,
                                     double largest_gap);

/// The mean length of a surface's edges [m].
double mean_edge(const Surface& surface);

}  // namespace cutis
