#pragma once

#include <vector>

#include "cutis/body/body.h"
#include "cutis/flesh/flesh_options.h"
#include "cutis/flesh/lattice/embedding.h"

namespace cutis {

/// What acts on flesh from outside: gravity, keyed forces, and what of the body's acceleration it does not
/// feel.
class FleshForces {
 public:
  /// The masses [kg] of the lattice's nodes and the options must outlive it.
  FleshForces(const Body& body, const Embedding& embedding, const IdVector<NodeId, double>& masses,
              const FleshOptions& options);

  /// On each node [N], of an acceleration of all [m/s²].
  NodePoints weights(const Vec3& acceleration) const;
  /// On each node in a step of `dt` that ends at a time [s], in which the core goes `way` [m] and in the step
  /// before, if there was one, `way_before`. Empty: none.
  NodePoints at(double time, double dt, const Vec3& way, const Vec3* way_before) const;

 private:
  const IdVector<NodeId, double>& masses_;
  const FleshOptions& options_;
  std::vector<IdVector<NodeId, double>> shares_;  ///< what of each keyed force a node gets
};

}  // namespace cutis
