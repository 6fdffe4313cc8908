#pragma once

#include <map>
#include <span>
#include <string>

#include "cutis/body/rig/skeleton.h"

namespace cutis {

/// Where the joints lie that human rigs have in common, by one name whatever the rig calls them (see
/// joint_roles): pelvis, neck, head, and left_ and right_ shoulder, elbow, wrist, hip, knee, ankle, toes.
/// Joints that are not found are left out.
std::map<std::string, Vec3> human_joints(std::span<const SkeletonJoint> joints);

}  // namespace cutis
