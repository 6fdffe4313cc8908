#pragma once

#include <vector>

#include "cutis/body/keyed_force.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// Gravity and the forces of a shot, as accelerations of the skin at each of its points.
class SkinForces {
 public:
  /// `masses` of the skin's vertices [kg]. The surface must outlive it.
  SkinForces(const Surface& rest, const Vec3& gravity, const std::vector<KeyedForce>& forces,
             const IdVector<VertexId, double>& masses);

  /// [m/s²]
  Vec3 acceleration(const SurfacePoint& p, double time) const;
  Vec3 acceleration(VertexId v, double time) const;

 private:
  /// `per_force`: acceleration per force, at the vertices of the skin [1/kg].
  struct Keyed {
    KeyedForce force;
    IdVector<VertexId, double> per_force;
  };
  const Mesh& mesh_;
  Vec3 gravity_;
  std::vector<Keyed> keyed_;
};

}  // namespace cutis
