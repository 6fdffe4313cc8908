#pragma once

#include <vector>

#include "cutis/surface/mesh/edge_table.h"

namespace cutis {

/// How to make neighbours agree about their orientation.
struct Orientation {
  /// Faces to turn over: in each patch (faces joined over edges of two faces) the smaller number of them.
  IdVector<FaceId, char> flip;
  /// Edges of the table whose two faces cannot agree: the patch is one-sided, like a Moebius strip.
  std::vector<std::size_t> one_sided;
};

Orientation orientation(const Mesh& mesh, const EdgeTable& edges);

}  // namespace cutis
