#pragma once

#include <span>
#include <vector>

#include "cutis/body/rig/character.h"

namespace cutis {

/// The nodes in an order in which parents come before their children. Throws InputError when the tree has a
/// cycle or names a parent that is not there.
std::vector<int> parents_first(const std::vector<Node>& nodes);

/// Where each node stands in the world, in the file's units. `order` is parents_first(nodes).
/// Without a clip: as the file leaves them. With one: nodes that it does not move stay as the file leaves
/// them.
std::vector<Mat4> global_matrices(const std::vector<Node>& nodes, std::span<const int> order,
                                  const Clip* clip, double time);

/// Whether the inverse of an affine matrix means something.
bool invertible(const Mat4& m);

/// The bind pose: joints stand as they stood when the skin was bound, so each skin is carried rigidly.
/// The joint of a skin nearest to the root of the tree stays where the file's own pose puts it, and places
/// the skin's other joints relative to itself by the inverse bind matrices; a skin that shares joints with an
/// earlier one takes its place from those. Nodes that are no joints follow their parents.
struct BindPose {
  std::vector<Mat4> globals;     ///< one per node
  std::vector<Mat4> placements;  ///< one per skin: from mesh space to the world
};
BindPose bind_pose(const Character& character, std::span<const int> order);

}  // namespace cutis
