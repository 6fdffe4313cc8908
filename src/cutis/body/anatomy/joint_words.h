#pragma once

#include <string>
#include <vector>

#include "cutis/body/anatomy/joint_roles.h"

namespace cutis {

/// What the words of one joint's name say, before its neighbours are asked.
struct JointWords {
  BodySide side = BodySide::Middle;
  /// The part of the body in one spelling, such as "upperarm" for arm_upper_l, UpArm and Oberarm.L; parts of
  /// a foreleg are those of an arm. Empty where no word is known.
  std::string part;
  /// It serves a joint of this part (twist, roll, IK target, end marker) and need not be that joint.
  bool helper = false;
};

/// The words of all names of one skeleton. Words may be joined (leftupperarm), camelCase, in any order, with
/// numbers and words of no meaning between them; what every name begins with is left out (a namespace, a
/// character's name). Known are English, Latin and the short forms of common rigs, and the names of parts in
/// German, French, Spanish, Italian and Japanese (as in MMD models).
std::vector<JointWords> read_joint_words(const std::vector<SkeletonJoint>& joints);

}  // namespace cutis
