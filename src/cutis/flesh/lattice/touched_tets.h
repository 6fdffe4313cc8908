#pragma once

#include <array>
#include <vector>

#include "cutis/core/id.h"
#include "cutis/flesh/lattice/bcc_grid.h"

namespace cutis {

/// A part of a triangle: its corners in order, at most seven when four planes have cut it.
struct ClippedTriangle {
  std::array<Vec3, 8> corners;  ///< in half cells
  std::size_t count = 0;
  Vec3 centre() const;
};

/// What of a triangle (in half cells) lies in a tetrahedron; touching its border counts.
ClippedTriangle clipped(const BccTet& tet, const std::array<Vec3, 3>& triangle);
/// Whether a segment (in half cells) passes through a tetrahedron or touches it.
bool touches(const BccTet& tet, const Vec3& a, const Vec3& b);

/// The tetrahedra of the lattice that a triangle (in half cells) passes through or touches.
std::vector<BccTet> touched_tets(const std::array<Vec3, 3>& triangle);

}  // namespace cutis
