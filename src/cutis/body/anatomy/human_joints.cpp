#include "cutis/body/anatomy/human_joints.h"

#include <array>
#include <utility>

#include "cutis/body/anatomy/joint_roles.h"

namespace cutis {
namespace {

constexpr std::array<std::pair<const char*, HumanJoint>, 3> kMiddle{
    {{"pelvis", HumanJoint::Pelvis}, {"neck", HumanJoint::Neck}, {"head", HumanJoint::Head}}};
/// A joint is where the part that turns with it begins.
constexpr std::array<std::pair<const char*, HumanJoint>, 7> kPairedJoints{{{"shoulder", HumanJoint::UpperArm},
                                                                           {"elbow", HumanJoint::Forearm},
                                                                           {"wrist", HumanJoint::Hand},
                                                                           {"hip", HumanJoint::Thigh},
                                                                           {"knee", HumanJoint::Shin},
                                                                           {"ankle", HumanJoint::Foot},
                                                                           {"toes", HumanJoint::Toe}}};

}  // namespace

std::map<std::string, Vec3> human_joints(std::span<const SkeletonJoint> joints) {
  const std::vector<SkeletonJoint> all(joints.begin(), joints.end());
  const std::vector<JointRole> roles = joint_roles(all);
  std::map<std::string, Vec3> found;
  const auto add = [&](const std::string& name, HumanJoint joint, BodySide side) {
    if (const auto at = find_joint(all, roles, joint, side))
      found.emplace(name, all[static_cast<std::size_t>(*at)].position);
  };
  for (const auto& [name, joint] : kMiddle) add(name, joint, BodySide::Middle);
  for (const auto& [name, joint] : kPairedJoints) {
    add(std::string("left_") + name, joint, BodySide::Left);
    add(std::string("right_") + name, joint, BodySide::Right);
  }
  return found;
}

}  // namespace cutis
