#include "cutis/body/rig/skeleton.h"

#include <algorithm>

#include "cutis/body/rig/pose.h"

namespace cutis {

std::vector<int> joint_nodes(std::span<const int> parents_first, std::span<const int> joints) {
  std::vector<bool> is_joint(parents_first.size(), false);
  for (int node : joints)
    if (node >= 0) is_joint[node] = true;
  std::vector<int> nodes;
  std::ranges::copy_if(parents_first, std::back_inserter(nodes), [&](int n) { return is_joint[n]; });
  return nodes;
}

Skeleton make_skeleton(const std::vector<Node>& nodes, std::span<const int> parents_first,
                       std::span<const Vec3> places, std::span<const int> joints,
                       const Influences& influences) {
  Skeleton skeleton;
  std::vector<int> joint_of(nodes.size(), -1);
  for (int n : joint_nodes(parents_first, joints)) {
    int up = nodes[n].parent;
    while (up >= 0 && joint_of[up] < 0) up = nodes[up].parent;
    joint_of[n] = static_cast<int>(skeleton.joints.size());
    skeleton.joints.push_back({nodes[n].name, up < 0 ? -1 : joint_of[up], places[n]});
  }
  Influences& of_joints = skeleton.influences;
  of_joints.offsets.push_back(0);
  for (std::size_t v = 0; v + 1 < influences.offsets.size(); ++v) {
    for (auto k = influences.offsets[v]; k < influences.offsets[v + 1]; ++k) {
      const int node = joints[influences.joints[k]];
      if (node < 0) continue;
      of_joints.joints.push_back(joint_of[node]);
      of_joints.weights.push_back(influences.weights[k]);
    }
    of_joints.offsets.push_back(static_cast<std::int32_t>(of_joints.joints.size()));
  }
  return skeleton;
}

Skeleton bind_skeleton(const Character& character, const MeshInstance& instance) {
  const std::vector<int> order = parents_first(character.nodes);
  std::vector<Vec3> places;
  for (const Mat4& m : bind_pose(character, order).globals) places.push_back(m.topRightCorner<3, 1>());
  return make_skeleton(character.nodes, order, places, character.skins[instance.skin].joints,
                       instance.influences);
}

}  // namespace cutis
