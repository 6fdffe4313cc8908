#pragma once

#include <vector>

#include "cutis/surface/map/chart_transition.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis::test {

/// A mesh whose UVs cover the unit square (a torus), cut into four islands: the quarters of the square, each
/// turned, mirrored and shrunk into the middle of a quarter of the texture.
struct Islands {
  Mesh mesh;
  IdVector<FaceId, int> island;            ///< 0 .. 3
  std::vector<ChartTransition> placement;  ///< from the unit square to the layout, one per island
};
/// `size`: of an island as a share of its quarter, below 1.
Islands four_islands(const Mesh& mesh, double size);

}  // namespace cutis::test
