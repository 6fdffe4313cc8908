#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cutis/picture/render/draw_mesh.h"
#include "cutis/surface/field/line_field.h"

namespace cutis {

/// A line field as fine streaks over a mesh: noise in space smeared along the lines (line-integral
/// convolution, Cabral and Leedom 1993) on the surface at rest, so that the streaks stay on the skin as it
/// moves. Kept in points of a grid in each triangle; needs no texture coordinates.
class LinePattern {
 public:
  /// `surface` at rest with one direction per face; `mesh` is drawn, its vertices at rest at `positions` near
  /// the surface. `width` is about that of a streak [m], above zero.
  LinePattern(const Surface& surface, const LineDirections& directions, const DrawMesh& mesh,
              std::span<const Vec3> positions, double width);

  /// Between 0 (dark) and 1 (light), in a triangle of the mesh.
  float operator()(std::size_t triangle, const std::array<float, 3>& barycentric) const;

 private:
  struct Grid {
    std::size_t first;  ///< in values_
    int cells;          ///< along each side
  };
  std::vector<Grid> grids_;
  std::vector<float> values_;
};

}  // namespace cutis
