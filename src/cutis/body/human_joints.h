#pragma once

#include <map>
#include <span>
#include <string>

#include "cutis/body/body.h"

namespace cutis {

/// The joints that human rigs have in common, by one name whatever the rig calls them: pelvis, neck, head,
/// and left_ and right_ shoulder, elbow, wrist, hip, knee, ankle, toes. Knows the names of Cutis's own
/// bodies, Mixamo, CMU, MakeHuman, SMPL, Unreal and Rigify; the convention that names the most joints counts.
/// Joints that are not found are left out.
std::map<std::string, Vec3> human_joints(std::span<const RestJoint> joints);

}  // namespace cutis
