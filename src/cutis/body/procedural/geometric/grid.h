#pragma once

#include <functional>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Quads in columns and rows; either direction may close to a ring, which leaves a seam in the UVs alone.
struct GridShape {
  /// `u` and `v` from 0 to 1; dp/du x dp/dv points outwards.
  std::function<Vec3(double u, double v)> place;
  int columns = 1;           ///< quads along u
  int rows = 1;              ///< quads along v
  bool closes_in_u = false;  ///< place(1, v) == place(0, v)
  bool closes_in_v = false;
  double width = 1;   ///< along u and
  double height = 1;  ///< along v [m]: the proportions of the UV layout
};

/// Vertices run along u first.
SourceMesh make_grid(const GridShape& shape);

/// How many edges of about this length make up `length`, at least `least`.
int edges_along(double length, double edge, int least);

}  // namespace cutis
