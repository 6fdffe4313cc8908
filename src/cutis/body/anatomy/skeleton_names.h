#pragma once

#include <vector>

#include "cutis/body/anatomy/joint_roles.h"

namespace cutis {

struct NamedRoles {
  std::vector<JointRole> roles;
  /// Joints whose role follows from their place among those of the same name, such as leg_1 and leg_2, where
  /// these are not as many as a limb has parts: a missing or a wrong name would move them.
  std::vector<bool> counted;
};

/// The roles that the names of joints and their neighbours' names tell, Other for the rest. Known are the
/// conventions of Mixamo, CMU and MakeHuman, Blender's Rigify, SMPL, 3ds Max, Daz, Character Creator, Unreal,
/// VRM, MMD and Cutis's own cast, and words for body parts in any order (see read_joint_words). Where a word
/// means two things (SMPL's left_foot is the toes, Mixamo's LeftFoot the foot) the other names on that side
/// decide; numbered joints of one limb are taken in the order of the tree.
NamedRoles roles_from_names(const std::vector<SkeletonJoint>& joints, const std::vector<int>& parents_first);

}  // namespace cutis
