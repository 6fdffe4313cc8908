#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis::test {

/// Six quads, corners at (±1, ±1, ±1).
Mesh cube();
/// A face for each vertex and a vertex in the middle of each face of a closed mesh.
Mesh dual(const Mesh& closed);
/// A torus around the z axis of quads, triangles and hexagons side by side; n (a multiple of 5) by m cells.
Mesh mixed_torus(int n, int m, double R, double r);
/// The unit square in z = 0 as n by n cells, all cut along the same diagonal: regular for Loop.
Mesh triangle_grid(int n);

}  // namespace cutis::test
