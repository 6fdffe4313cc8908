#pragma once

#include <span>
#include <vector>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// A line field: one unit tangent a triangle, where d and -d mean the same.
using LineDirections = IdVector<FaceId, Vec3>;

/// A direction known in one triangle; its length and sign do not matter.
struct LineSample {
  FaceId face;
  Vec3 direction;
};

struct LineFieldOptions {
  bool smooth = true;  ///< false leaves each triangle with what its nearest sample says
};

struct LineField {
  LineDirections directions;
  /// Parts of the surface that hold no sample. Each takes the direction of the sample nearest in space, laid
  /// into the surface.
  int bare_parts = 0;
};

/// Spreads sparse directions over a triangle surface (ViSkin, Sec. 4.2): each triangle takes the direction of
/// the nearest sample, carried there by parallel transport, and the field is then smoothed as a line field
/// with the triangles that hold samples left as they are (several in one triangle: their mean). Bits do not
/// depend on the signs of the samples. Borders are free. Triangles without area get some unit vector.
/// Throws InputError when no sample has a part in its triangle's plane.
LineField line_field(const Surface& surface, std::span<const LineSample> samples,
                     const LineFieldOptions& options = {});

/// Angle between two lines, 0..pi/2 [rad]. Lengths and signs do not matter.
double line_angle(const Vec3& a, const Vec3& b);

/// A vertex around which the field turns by half_turns times pi more than the surface does.
struct LineSingularity {
  VertexId vertex;
  int half_turns;  ///< the index is half of this
};

/// Inner vertices with an index that is not zero, by vertex. On a closed surface the half turns sum to twice
/// its Euler characteristic.
std::vector<LineSingularity> line_singularities(const Surface& surface, const LineDirections& directions);

}  // namespace cutis
