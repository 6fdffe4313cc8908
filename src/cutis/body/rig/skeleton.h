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

/// [A | b]: tissue that is rigidly bound to a joint goes from its place p in the rest shape to A p + b [m].
using JointTransform = Eigen::Matrix<double, 3, 4>;

/// The rig of a body as it stands in the rest shape.
struct Skeleton {
  std::vector<SkeletonJoint> joints;
  Influences influences;  ///< of each vertex of the source; joints are those above
};

/// The nodes that are joints, in the order of the tree. `joints` may name one several times, and -1 for none.
std::vector<int> joint_nodes(std::span<const int> parents_first, std::span<const int> joints);

/// The skeleton that these nodes make, one joint for each of joint_nodes(). `places` is where each node
/// stands in the rest shape [m]; `joints` are the nodes that the influences count, -1 for what moves with
/// none.
Skeleton make_skeleton(const std::vector<Node>& nodes, std::span<const int> parents_first,
                       std::span<const Vec3> places, std::span<const int> joints,
                       const Influences& influences);

/// The rig of one skinned mesh in its bind pose, in the file's units.
Skeleton bind_skeleton(const Character& character, const MeshInstance& instance);

}  // namespace cutis
