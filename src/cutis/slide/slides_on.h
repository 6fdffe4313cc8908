#pragma once

namespace cutis {

/// What the skin of a body lies on.
enum class SlidesOn {
  Polygon,  ///< the body's own triangles
  Limit     ///< the limit surface of its polygons: the shape does not shrink
};

}  // namespace cutis
