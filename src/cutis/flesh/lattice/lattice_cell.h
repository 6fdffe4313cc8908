#pragma once

#include <cstddef>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// The width of a cell [m] that puts so many along the diagonal of the bounding box.
double cell_across(const Mesh& triangles, double cells);
/// The width of a cell [m] that gives about so many tetrahedra.
double cell_for_tets(const Mesh& triangles, std::size_t tets = 100'000);

}  // namespace cutis
