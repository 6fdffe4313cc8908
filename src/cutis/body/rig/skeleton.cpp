#include "cutis/body/rig/skeleton.h"

#include "cutis/body/rig/pose.h"

namespace cutis {

Skeleton make_skeleton(const std::vector<Node>& nodes, std::span<const int> parents_first,
                       std::span<const Vec3> places, std::span<const int> joints,
                       const Influences& influences) {
  Skeleton skeleton;
  std::vector<int> joint_of(nodes.size(), -1);
  for (int node : joints)
    if (node >= 0) joint_of[node] = 0;
  for (int n : parents_first) {
    if (joint_of[n] < 0) continue;
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
