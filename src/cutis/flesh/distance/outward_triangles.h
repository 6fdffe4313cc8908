#pragma once

#include <vector>

#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// The triangles of a mesh, one per face and in their order, turned so that neighbours agree and that the
/// volume that they enclose is positive. Throws InputError when there is no face, a face is not a triangle or
/// a position is not finite.
std::vector<IndexTriangle> outward_triangles(const Mesh& triangles);

}  // namespace cutis
