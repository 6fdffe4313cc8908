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

/// By a mesh of triangles that is at `positions` now: `places` on it, raised along its normals by `heights`
/// [m].
Carrier carried_by(const Mesh& mesh, const Points& positions, const IdVector<VertexId, SurfacePoint>& places,
                   const IdVector<VertexId, double>& heights);

/// How the carrier has turned around a constraint since it was at rest.
Mat3 turn_of(const ConstraintFunction& constraint, const Carrier& rest, const Carrier& now);

}  // namespace cutis
