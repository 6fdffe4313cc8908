#pragma once

#include <vector>

#include "cutis/core/id.h"
#include "cutis/core/types.h"

namespace cutis {

/// A force on a part of a body, keyed over time: straight lines between the keys, still before and after
/// them.
struct KeyedForce {
  std::vector<VertexId> vertices;  ///< empty: all
  std::vector<double> times;       ///< rising [s]
  std::vector<Vec3> forces;  ///< as many, each shared out over the vertices by mass, or another measure [N]

  Vec3 at(double time) const;
  /// What of the force each vertex gets per mass, for these masses [1/kg]: zero elsewhere.
  IdVector<VertexId, double> shares(const IdVector<VertexId, double>& masses) const;
};

}  // namespace cutis
