#include "cutis/skin/problem/skin_forces.h"

namespace cutis {

SkinForces::SkinForces(const Surface& rest, const Vec3& gravity, const std::vector<KeyedForce>& forces,
                       const IdVector<VertexId, double>& masses)
    : mesh_(rest.mesh()), gravity_(gravity) {
  for (const KeyedForce& force : forces) keyed_.push_back({force, force.shares(masses)});
}

Vec3 SkinForces::acceleration(const SurfacePoint& p, double time) const {
  Vec3 sum = gravity_;
  for (const Keyed& keyed : keyed_) sum += interpolate(mesh_, keyed.per_force, p) * keyed.force.at(time);
  return sum;
}

Vec3 SkinForces::acceleration(VertexId v, double time) const {
  Vec3 sum = gravity_;
  for (const Keyed& keyed : keyed_) sum += keyed.per_force[v] * keyed.force.at(time);
  return sum;
}

}  // namespace cutis
