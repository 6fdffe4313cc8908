#include "cutis/body/keyed_force.h"

#include "cutis/body/keyed_value.h"

namespace cutis {

Vec3 KeyedForce::at(double time) const { return keyed_value(times, forces, time); }

IdVector<VertexId, double> KeyedForce::shares(const IdVector<VertexId, double>& masses) const {
  IdVector<VertexId, double> out(masses.size(), vertices.empty() ? 1 : 0);
  for (VertexId v : vertices) out[v] = 1;
  double mass = 0;
  for (VertexId v : ids<VertexId>(masses.size())) mass += out[v] * masses[v];
  for (double& share : out) share = mass > 0 ? share / mass : 0;
  return out;
}

}  // namespace cutis
