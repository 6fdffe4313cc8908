#include "cutis/body/avatar/avatar.h"

namespace cutis {

std::vector<std::string> avatar_joint_names(std::size_t count) {
  std::vector<std::string> names;
  if (count != 22 && count != 24 && count != 52 && count != 55) {
    for (std::size_t j = 0; j < count; ++j) names.push_back("joint_" + std::to_string(j));
    return names;
  }
  names = {"pelvis",     "left_hip",    "right_hip",    "spine1",     "left_knee",     "right_knee",
           "spine2",     "left_ankle",  "right_ankle",  "spine3",     "left_foot",     "right_foot",
           "neck",       "left_collar", "right_collar", "head",       "left_shoulder", "right_shoulder",
           "left_elbow", "right_elbow", "left_wrist",   "right_wrist"};
  if (count == 24) names.insert(names.end(), {"left_hand", "right_hand"});
  if (count == 55) names.insert(names.end(), {"jaw", "left_eye", "right_eye"});
  if (count > 24)
    for (const char* side : {"left_", "right_"})
      for (const char* finger : {"index", "middle", "pinky", "ring", "thumb"})
        for (int bone = 1; bone <= 3; ++bone)
          names.push_back(std::string(side) + finger + std::to_string(bone));
  return names;
}

std::vector<Vec3> joint_places(const AvatarModel& model) {
  std::vector<Vec3> places(model.joint_count(), Vec3::Zero());
  for (const auto& [joint, vertex, weight] : model.regressor)
    places[joint] += weight * model.mesh.positions[SourceVertexId(vertex)];
  return places;
}

Character to_character(AvatarModel model, const std::string& name) {
  Character character;
  character.name = name;
  const std::vector<Vec3> places = joint_places(model);
  Skin& skin = character.skins.emplace_back();
  for (std::size_t j = 0; j < places.size(); ++j) {
    const int parent = model.parents[j];
    Node& node = character.nodes.emplace_back();
    node.name = model.joint_names[j];
    node.parent = parent;
    node.local.translation = parent < 0 ? places[j] : Vec3(places[j] - places[parent]);
    skin.joints.push_back(static_cast<int>(j));
    skin.inverse_bind.push_back(Mat4::Identity());
    skin.inverse_bind.back().topRightCorner<3, 1>() = -places[j];
  }
  MeshInstance& mesh = character.meshes.emplace_back();
  mesh.name = name;
  mesh.skin = 0;
  mesh.mesh = std::move(model.mesh);
  mesh.influences = std::move(model.influences);
  return character;
}

}  // namespace cutis
