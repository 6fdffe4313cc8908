#pragma once

#include <span>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Skin around an axis that is unrolled like a label off a bottle.
struct UnwrapPart {
  Vec3 from, to;
  Vec3 seam;  ///< the seam lies on this side of the axis
};

/// Lays a mesh out in the unit square: for each part a label (unrolled around its axis) and flat caps where
/// the surface faces along the axis. Every chart has the same scale, none folds: each face keeps its
/// orientation and at least a quarter of its area. `part` names the part of each face. Sets mesh.uvs.
void unwrap(Mesh& mesh, std::span<const UnwrapPart> parts, const IdVector<FaceId, int>& part);

}  // namespace cutis
