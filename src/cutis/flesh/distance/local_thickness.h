#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// How thick a body is below each vertex: the radius [m] of the largest ball within it that touches the
/// surface there or holds the vertex (local thickness, Hildebrand and Rüegsegger 1997). It depends on the
/// surface alone: on no lattice, no axes, no order (near the holes of an open mesh, where the inside fades
/// out, within the error of WindingNumber). The mesh may have holes, slivers, duplicate faces, cross
/// itself, be non-manifold or inside out; where parts overlap their union counts. Zero on what has no inside:
/// open sheets, vertices without a face. Throws InputError when there is no face, a face is not a triangle or
/// a position is not finite.
IdVector<VertexId, double> inner_radius(const Mesh& triangles);

}  // namespace cutis
