#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// The islands of a texture layout: faces whose corners have the same UVs on both ends of the edge they
/// share.
struct UvCharts {
  int count = 0;                ///< 0 when the mesh has no UVs
  IdVector<FaceId, int> chart;  ///< island of each face, numbered by first face; empty when there are no UVs
};

/// UVs closer than 1e-6 (of the unit square) are the same.
UvCharts uv_charts(const Mesh& mesh);

}  // namespace cutis
