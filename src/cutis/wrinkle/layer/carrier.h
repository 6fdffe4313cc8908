#pragma once

#include "cutis/wrinkle/layer/layer_surface.h"

namespace cutis {

/// Where what is below a layer carries it: at each vertex of the layer's fine mesh, the place at which the
/// layer would lie if it did not wrinkle, and the unit normal there.
struct Carrier {
  Points positions, normals;

  /// Between the vertices.
  Vec3 position(const Surface& fine, const SurfacePoint& place) const {
    return interpolate(fine.mesh(), positions, place);
  }
  Vec3 normal(const Surface& fine, const SurfacePoint& place) const {
    return interpolate(fine.mesh(), normals, place).normalized();
  }
};

/// By the body, whose triangles are `body`, in a pose: layers lie inwards, so that the outermost one is the
/// surface of the body itself.
Carrier carried_by_body(const LayerSurface& layer, const Mesh& body, const Points& pose);

/// How the carrier has turned around a constraint since it was at rest.
Mat3 turn_of(const ConstraintFunction& constraint, const Carrier& rest, const Carrier& now);

}  // namespace cutis
