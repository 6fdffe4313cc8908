#pragma once

#include <span>
#include <string>
#include <vector>

#include "cutis/body/rig/character.h"

namespace cutis {

struct SkeletonJoint {
  std::string name;
  int parent = -1;               ///< index of a joint, -1 for a root
  Vec3 position = Vec3::Zero();  ///< in the rest shape [m]
};

/// The rig of a body as it stands in the rest shape.
struct Skeleton {
  std::vector<SkeletonJoint> joints;
  Influences influences;  ///< of each vertex of the source; joints are those above
};

/// The skeleton that these nodes make, in the order of the tree. `places` is where each node stands in the
/// rest shape [m]; `joints` are the nodes that the influences count, -1 for what moves with none.
Skeleton make_skeleton(const std::vector<Node>& nodes, std::span<const int> parents_first,
                       std::span<const Vec3> places, std::span<const int> joints,
                       const Influences& influences);

/// The rig of one skinned mesh in its bind pose, in the file's units.
Skeleton bind_skeleton(const Character& character, const MeshInstance& instance);

}  // namespace cutis
