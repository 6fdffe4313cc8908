#pragma once

namespace cutis {

/// Where the new vertices of a subdivided body lie.
enum class SubdividedSurface {
  Polygon,  ///< on its triangles
  Limit     ///< on a smooth surface through its own vertices: that of a cage around it (see LimitCage)
};

}  // namespace cutis
