#include "cutis/flesh/flesh_forces.h"

#include "cutis/body/keyed_value.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

/// A force acts on the flesh below its vertices, on each by how much of the surface is its own.
FleshForces::FleshForces(const Body& body, const Embedding& embedding, const IdVector<NodeId, double>& masses,
                         const FleshOptions& options)
    : masses_(masses), options_(options) {
  if (options.forces.empty()) return;
  const IdVector<VertexId, double> areas = vertex_areas(body.triangles().mesh);
  for (const KeyedForce& force : options.forces) {
    IdVector<VertexId, double> shares = force.shares(areas);
    for (VertexId v : ids<VertexId>(shares.size())) shares[v] *= areas[v];
    shares_.push_back(embedding.to_nodes(shares));
  }
}

NodePoints FleshForces::weights(const Vec3& acceleration) const {
  NodePoints out(masses_.size());
  for (NodeId v : ids<NodeId>(out.size())) out[v] = masses_[v] * acceleration;
  return out;
}

/// Of the body's acceleration as a whole flesh feels but a share: the rest acts on it as a force.
NodePoints FleshForces::at(double time, double dt, const Vec3& way, const Vec3* way_before) const {
  Vec3 acceleration = options_.gravity;
  if (way_before) {
    const double felt = keyed_value(options_.inertia_times, options_.inertia, time);
    acceleration += (1 - felt) * (way - *way_before) / (dt * dt);
  }
  if (acceleration.isZero(0) && shares_.empty()) return {};
  NodePoints out = weights(acceleration);
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const Vec3 force = options_.forces[i].at(time);
    for (NodeId v : ids<NodeId>(out.size())) out[v] += shares_[i][v] * force;
  }
  return out;
}

}  // namespace cutis
