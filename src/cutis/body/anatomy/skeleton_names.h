#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cutis/body/rig/skeleton.h"

namespace cutis {

/// What a joint moves, whatever its rig calls it. A joint is named by the part that turns with it: the joint
/// at the knee is Shin. Forelegs are arms: their cannon is Hand, their paw Finger.
enum class HumanJoint {
  Other,
  Pelvis,
  Spine,
  Chest,
  Neck,
  Head,
  Jaw,
  Eye,
  Nose,
  Lip,
  Ear,
  Breast,
  Clavicle,
  UpperArm,
  Forearm,
  Hand,
  Thumb,
  Finger,
  Thigh,
  Shin,
  Foot,
  Toe,
  Tail
};
enum class BodySide { Middle, Left, Right };

struct JointRole {
  HumanJoint joint = HumanJoint::Other;
  BodySide side = BodySide::Middle;
  /// Its own name says so; otherwise it follows the nearest joint above it that has a role (a twist bone, a
  /// muscle of the face), or below it where there is none above (a root).
  bool named = false;
};

/// The role of every joint, from its name, its neighbours' names and its place in the tree. Known are the
/// conventions of Mixamo, CMU and MakeHuman, Blender's Rigify, SMPL, 3ds Max, Unreal, VRM and Cutis's own
/// cast. Where a word means two things (SMPL's left_foot is the toes, Mixamo's LeftFoot the foot) the other
/// names on that side decide; numbered joints of one limb are taken in the order of the tree. All roles are
/// Other where no name is known. Throws InputError when the tree has a cycle or a parent that is not there.
std::vector<JointRole> joint_roles(const std::vector<SkeletonJoint>& joints);

/// The joint named for this role that is nearest to the root; nothing where there is none.
std::optional<int> find_joint(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                              HumanJoint joint, BodySide side = BodySide::Middle);

}  // namespace cutis
