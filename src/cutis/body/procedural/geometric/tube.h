#pragma once

#include <functional>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A closed tube of quads: rings along its length and a grid of quads on each end. Every vertex has four
/// edges but the four corners of each end grid, which have three, so subdivision stays smooth.
struct TubeShape {
  /// Place on the side wall: `along` from 0 to 1, `angle` in radians.
  std::function<Vec3(double along, double angle)> wall;
  /// Place on an end (0 or 1): `reach` from 0 in the middle to 1 at the wall, where it must meet `wall`.
  std::function<Vec3(int end, double reach, double angle)> cap;
  int rings = 8;         ///< quads along the wall
  int cap_quads = 4;     ///< quads along a side of an end grid: the wall has 4 times as many around
  double length = 1;     ///< of the wall, and
  double girth = 1;      ///< around it, and
  double cap_width = 1;  ///< across an end [m]: the proportions of the UV layout
};

/// The seam of the wall's UV chart runs along angle = -pi/2; each end has a chart of its own above it.
SourceMesh make_tube(const TubeShape& shape);

}  // namespace cutis
