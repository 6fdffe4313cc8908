#pragma once

namespace cutis {

/// What the skin of a body lies on.
enum class SlidesOn {
  Polygon,  ///< the body's own triangles
  Limit,    ///< the limit surface of its polygons
  Cage      ///< the limit surface of a cage around it, which is as high as its vertices (see LimitCage)
};

}  // namespace cutis
