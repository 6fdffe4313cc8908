#include "cutis/body/keyed_force.h"

#include <algorithm>

namespace cutis {

Vec3 KeyedForce::at(double time) const {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return forces.front();
  if (after == times.end()) return forces.back();
  const auto i = static_cast<std::size_t>(after - times.begin());
  const double share = (time - times[i - 1]) / (times[i] - times[i - 1]);
  return (1 - share) * forces[i - 1] + share * forces[i];
}

IdVector<VertexId, double> KeyedForce::shares(const IdVector<VertexId, double>& masses) const {
  IdVector<VertexId, double> out(masses.size(), vertices.empty() ? 1 : 0);
  for (VertexId v : vertices) out[v] = 1;
  double mass = 0;
  for (VertexId v : ids<VertexId>(masses.size())) mass += out[v] * masses[v];
  for (double& share : out) share = mass > 0 ? share / mass : 0;
  return out;
}

}  // namespace cutis
