#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cutis/body/anatomy/joint_roles.h"

namespace cutis {
namespace {

bool is_any(const JointRole& role, std::initializer_list<HumanJoint> joints) {
  return role.recognised() && std::find(joints.begin(), joints.end(), role.joint) != joints.end();
}

/// How many chains of these parts there are: joints of them whose nearest recognised joint above is of
/// another part, or of the other side.
int count_chains(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                 std::initializer_list<HumanJoint> parts) {
  int chains = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!is_any(roles[j], parts)) continue;
    const int up = recognised_above(joints, roles, j);
    chains += up < 0 || !is_any(roles[up], parts) || roles[up].side != roles[j].side;
  }
  return chains;
}

/// "2 arms, 2 legs, spine, neck, head, 10 fingers". Joints without a tree say which parts there are, not how
/// many.
std::vector<std::string> found_parts(const std::vector<SkeletonJoint>& joints,
                                     const std::vector<JointRole>& roles) {
  using enum HumanJoint;
  const bool tree = has_tree(joints);
  const auto has = [&](std::initializer_list<HumanJoint> parts) {
    return std::any_of(roles.begin(), roles.end(), [&](const JointRole& r) { return is_any(r, parts); });
  };
  std::vector<std::string> found;
  const auto add = [&](const char* one, const char* many, std::initializer_list<HumanJoint> parts) {
    const int n = count_chains(joints, roles, parts);
    if (n == 1) found.emplace_back(one);
    if (n > 1) found.push_back(tree ? fmt::format("{} {}", n, many) : many);
  };
  const auto add_once = [&](const char* name, std::initializer_list<HumanJoint> parts) {
    if (has(parts)) found.emplace_back(name);
  };
  if (has({Clavicle, UpperArm, Forearm}))
    add("an arm", "arms", {Clavicle, UpperArm, Forearm, Hand});
  else
    add_once("hand", {Hand});
  add("a leg", "legs", {Thigh, Shin, Foot});
  add_once("spine", {Pelvis, Spine, Chest});
  add_once("neck", {Neck});
  add_once("head", {Head});
  add("an eye", "eyes", {Eye});
  add("a finger", "fingers", {Thumb, Finger});
  add("a toe", "toes", {Toe});
  add_once("tail", {Tail});
  return found;
}

}  // namespace

std::string describe_joints(const Skeleton& skeleton) {
  const std::vector<SkeletonJoint>& joints = skeleton.joints;
  const std::vector<JointRole> roles = joint_roles(skeleton);
  std::map<RoleSource, std::size_t> by;
  for (const JointRole& role : roles) ++by[role.source];
  const std::size_t recognised = by[RoleSource::Name] + by[RoleSource::Shape];
  if (recognised == 0)
    return fmt::format("the rig is not understood: too few of its {} joints are recognised by name or shape",
                       joints.size());

  const std::string how =
      by[RoleSource::Shape] == 0 ? "by name"
      : by[RoleSource::Name] == 0
          ? "by shape"
          : fmt::format("({} by name, {} by shape)", by[RoleSource::Name], by[RoleSource::Shape]);
  return fmt::format("{} of {} joints recognised {}: {}", recognised, joints.size(), how,
                     fmt::join(found_parts(joints, roles), ", "));
}

}  // namespace cutis
