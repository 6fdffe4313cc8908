#include "cutis/skin/eulerian/skin_forces.h"

#include <algorithm>

namespace cutis {

SkinForces::SkinForces(const Surface& rest, const EulerianOptions& options,
                       const IdVector<VertexId, double>& masses)
    : mesh_(rest.mesh()), gravity_(options.gravity) {
  for (const SkinForce& force : options.forces) {
    Keyed keyed{IdVector<VertexId, double>(masses.size(), force.vertices.empty() ? 1 : 0), force.times,
                force.forces};
    for (VertexId v : force.vertices) keyed.per_force[v] = 1;
    double mass = 0;
    for (VertexId v : ids<VertexId>(masses.size())) mass += keyed.per_force[v] * masses[v];
    for (double& share : keyed.per_force) share = mass > 0 ? share / mass : 0;
    keyed_.push_back(std::move(keyed));
  }
}

Vec3 SkinForces::Keyed::at(double time) const {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return forces.front();
  if (after == times.end()) return forces.back();
  const auto i = static_cast<std::size_t>(after - times.begin());
  const double share = (time - times[i - 1]) / (times[i] - times[i - 1]);
  return (1 - share) * forces[i - 1] + share * forces[i];
}

Vec3 SkinForces::acceleration(const SurfacePoint& p, double time) const {
  Vec3 sum = gravity_;
  for (const Keyed& keyed : keyed_) sum += interpolate(mesh_, keyed.per_force, p) * keyed.at(time);
  return sum;
}

}  // namespace cutis
