#pragma once

#include <span>
#include <vector>

#include "cutis/body/anatomy/joint_roles.h"

namespace cutis {

/// The roles that the shape of a skeleton tells, whatever its joints are called; Other for the rest. Limbs
/// are pairs of chains with bones of equal length: legs are those that reach lowest and begin nearest to the
/// root, arms begin further up, the chain that goes on from there is neck and head, one that begins at the
/// legs is a tail. Parts of a limb follow from their lengths, left and right from where feet or head point.
/// A hand alone is known by its fingers, a head alone by its eyes. All are Other where none of this is found,
/// or where all joints lie in one place. `moved` as in joint_roles.
std::vector<JointRole> roles_from_shape(const std::vector<SkeletonJoint>& joints,
                                        std::span<const double> moved = {});

}  // namespace cutis
