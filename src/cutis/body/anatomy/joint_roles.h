#pragma once

#include <optional>
#include <span>
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

/// What tells a role. A joint that neither its name nor its place tells (a twist bone, a muscle of the face)
/// follows the nearest joint above it that has a role, or below it where there is none above (a root), or
/// beside it where joints have no tree.
enum class RoleSource { Neighbour, Name, Shape };

struct JointRole {
  HumanJoint joint = HumanJoint::Other;
  BodySide side = BodySide::Middle;
  RoleSource source = RoleSource::Neighbour;

  bool recognised() const { return source != RoleSource::Neighbour; }
  bool operator==(const JointRole&) const = default;
};

/// The role of every joint, from its name (see roles_from_names) and from its place in the skeleton (see
/// roles_from_shape). Names win where the shape bears most of them out, but for those that it contradicts,
/// and where they fit each other; where they do neither, as with shuffled names, the shape decides. All roles
/// are Other where neither is understood. `moved` is how much skin each joint moves; empty where it is not
/// known. Throws InputError when the tree has a cycle or a parent that is not there.
std::vector<JointRole> joint_roles(const std::vector<SkeletonJoint>& joints,
                                   std::span<const double> moved = {});
std::vector<JointRole> joint_roles(const Skeleton& skeleton);

/// The nearest joint above that is recognised; -1 where there is none.
int recognised_above(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                     std::size_t j);
/// Whether any joint hangs on another.
bool has_tree(const std::vector<SkeletonJoint>& joints);

/// The recognised joint of this role that is nearest to the root; nothing where there is none.
std::optional<int> find_joint(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                              HumanJoint joint, BodySide side = BodySide::Middle);

/// "31 of 31 joints recognised by name: 2 arms, 2 legs, spine, neck, head, 4 fingers, 2 toes", or that
/// the rig is not understood.
std::string describe_joints(const Skeleton& skeleton);

}  // namespace cutis
