#include "cutis/skin/eulerian/skin_forces.h"

namespace cutis {

SkinForces::SkinForces(const Surface& rest, const EulerianOptions& options,
                       const IdVector<VertexId, double>& masses)
    : mesh_(rest.mesh()), gravity_(options.gravity) {
  for (const KeyedForce& force : options.forces) keyed_.push_back({force, force.shares(masses)});
}

Vec3 SkinForces::acceleration(const SurfacePoint& p, double time) const {
  Vec3 sum = gravity_;
  for (const Keyed& keyed : keyed_) sum += interpolate(mesh_, keyed.per_force, p) * keyed.force.at(time);
  return sum;
}

}  // namespace cutis
