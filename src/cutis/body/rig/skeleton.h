#pragma once

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

}  // namespace cutis
