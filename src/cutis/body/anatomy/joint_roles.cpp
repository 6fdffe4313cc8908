#include "cutis/body/anatomy/joint_roles.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "cutis/body/anatomy/skeleton_names.h"
#include "cutis/body/anatomy/skeleton_shape.h"
#include "cutis/body/rig/pose.h"

namespace cutis {
namespace {

using enum HumanJoint;

enum class Region { None, Trunk, Arm, Leg, Tail };

/// Where in the body a role lies: in which region, and how far along it.
struct Station {
  Region region;
  int step;
};

Station station(const JointRole& role) {
  switch (role.joint) {
    case Pelvis:
      return {Region::Trunk, 0};
    case Spine:
      return {Region::Trunk, 1};
    case Chest:
    case Breast:
      return {Region::Trunk, 2};
    case Neck:
      return {Region::Trunk, 3};
    case Head:
      return {Region::Trunk, 4};
    case Jaw:
    case Eye:
    case Nose:
    case Lip:
    case Ear:
      return {Region::Trunk, 6};  // not next to the head: its joint is none of the face's
    case Clavicle:
      return {Region::Arm, 0};
    case UpperArm:
      return {Region::Arm, 1};
    case Forearm:
      return {Region::Arm, 2};
    case Hand:
      return {Region::Arm, 3};
    case Thumb:
    case Finger:
      return {Region::Arm, 4};
    case Thigh:
      return {Region::Leg, 1};
    case Shin:
      return {Region::Leg, 2};
    case Foot:
      return {Region::Leg, 3};
    case Toe:
      return {Region::Leg, 4};
    case Tail:
      return {Region::Tail, 0};
    case Other:
      break;
  }
  return {Region::None, 0};
}

bool same_side(const JointRole& a, const JointRole& b) {
  return a.side == b.side || a.side == BodySide::Middle || b.side == BodySide::Middle;
}

/// Both say the same region and side.
bool same_limb(const JointRole& a, const JointRole& b) {
  return station(a).region == station(b).region && same_side(a, b);
}

/// They differ by no more than rigs do in where a part begins; where a limb begins it is trunk or limb.
bool compatible(const JointRole& a, const JointRole& b) {
  const Station x = station(a), y = station(b);
  const auto either = [&](HumanJoint joint, HumanJoint other) {
    return (a.joint == joint && b.joint == other) || (a.joint == other && b.joint == joint);
  };
  if (x.region != y.region) return either(Clavicle, Chest) || either(Clavicle, Neck) || either(Pelvis, Thigh);
  return same_side(a, b) && std::abs(x.step - y.step) <= 1;
}

/// A joint of this role may hang below one of that role.
bool may_follow(const JointRole& joint, const JointRole& above) {
  const Station x = station(joint), y = station(above);
  if (x.region == y.region)
    return same_side(joint, above) && (x.step >= y.step || (joint.joint == Pelvis && y.step <= 2));
  if (y.region != Region::Trunk) return false;
  return x.region == Region::Arm ? y.step <= 3 : y.step <= 2;
}

/// Puts together what the names of a skeleton and its shape say.
class RoleChooser {
 public:
  RoleChooser(const std::vector<SkeletonJoint>& joints, std::span<const double> moved)
      : joints_(joints), moved_(moved) {
    std::vector<Node> nodes(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j)
      nodes[j].name = joints[j].name, nodes[j].parent = joints[j].parent;
    order_ = parents_first(nodes);
    NamedRoles named = roles_from_names(joints, order_);
    names_ = std::move(named.roles), counted_ = std::move(named.counted);
    shape_ = roles_from_shape(joints, moved);
  }

  std::vector<JointRole> choose() {
    roles_.resize(joints_.size());
    if (borne_out())
      correct_names();
    else
      roles_ = in_order() ? names_ : shape_;
    fill_downwards();
    if (!understood()) return std::vector<JointRole>(joints_.size());
    fill_upwards();
    return std::move(roles_);
  }

 private:
  const std::vector<SkeletonJoint>& joints_;
  std::span<const double> moved_;
  std::vector<int> order_;
  std::vector<JointRole> names_, shape_, roles_;
  std::vector<bool> counted_;

  static std::ptrdiff_t count_recognised(const std::vector<JointRole>& roles) {
    return std::count_if(roles.begin(), roles.end(), [](const JointRole& r) { return r.recognised(); });
  }

  /// Most names say what the shape says.
  bool borne_out() const {
    int both = 0, agree = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (!names_[j].recognised() || !shape_[j].recognised()) continue;
      ++both;
      agree += compatible(names_[j], shape_[j]) || (counted_[j] && same_limb(names_[j], shape_[j]));
    }
    return both > 0 && agree > 0.7 * both;
  }

  /// Most names fit the names above them, and there are about as many as the shape tells.
  bool in_order() const {
    int pairs = 0, fit = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (!names_[j].recognised()) continue;
      const int up = recognised_above(joints_, names_, j);
      if (up < 0) continue;
      ++pairs;
      fit += may_follow(names_[j], names_[up]);
    }
    return 3 * count_recognised(names_) > 2 * count_recognised(shape_) && fit >= 0.8 * pairs;
  }

  /// What the name says where the shape says about the same and the names above and below fit; else what the
  /// shape says.
  JointRole corrected(std::size_t j) const {
    const JointRole &name = names_[j], &shape = shape_[j];
    if (!shape.recognised()) return name;
    if (counted_[j] && same_limb(name, shape)) return shape;
    return compatible(name, shape) && fits_neighbours(j) ? name : shape;
  }

  bool fits_neighbours(std::size_t j) const {
    const int up = recognised_above(joints_, names_, j);
    if (up >= 0 && !may_follow(names_[j], names_[up])) return false;
    for (std::size_t below = 0; below < joints_.size(); ++below)
      if (joints_[below].parent == static_cast<int>(j) && names_[below].recognised() &&
          !may_follow(names_[below], names_[j]))
        return false;
    return true;
  }

  /// Of a joint and the one above it, which cannot belong together, the one that the shape does not confirm
  /// loses its role.
  void drop_contradiction(int j) {
    const int up = recognised_above(joints_, roles_, j);
    if (up < 0 || !roles_[j].recognised() || may_follow(roles_[j], roles_[up])) return;
    if (!shape_[j].recognised())
      roles_[j] = {};
    else if (!shape_[up].recognised())
      roles_[up] = {};
  }

  /// Parts that no name tells follow from the shape where they are missing or go on from a named one; but no
  /// tails, as coats and skirts look like them.
  void correct_names() {
    for (int j : order_) {
      roles_[j].side = names_[j].side;
      if (names_[j].recognised()) roles_[j] = corrected(j);
    }
    for (int j : order_) drop_contradiction(j);
    const std::vector<JointRole> told = roles_;
    for (int j : order_) {
      if (roles_[j].recognised() || !shape_[j].recognised() || shape_[j].joint == Tail) continue;
      const bool missing = std::none_of(told.begin(), told.end(), [&](const JointRole& r) {
        return r.joint == shape_[j].joint && r.side == shape_[j].side;
      });
      const int up = joints_[j].parent;
      const bool goes_on = up >= 0 && roles_[up].recognised() && same_limb(roles_[up], shape_[j]) &&
                           may_follow(shape_[j], roles_[up]);
      if (missing || goes_on) roles_[j] = shape_[j];
    }
  }

  void fill_downwards() {
    for (int j : order_) {
      const int parent = joints_[j].parent;
      if (roles_[j].joint != Other || parent < 0) continue;
      const BodySide side = roles_[j].side;
      roles_[j] = {roles_[parent].joint, side == BodySide::Middle ? roles_[parent].side : side};
    }
  }

  /// Half of the skin hangs on joints that are recognised or below one: else the rest would be a guess.
  /// Without a tree one joint in five will do, as each tells its neighbours.
  bool understood() const {
    double all = 0, known = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const double weight = moved_.empty() ? 1 : moved_[j];
      all += weight;
      if (roles_[j].joint != Other) known += weight;
    }
    return known > 0 && known >= (has_tree(joints_) ? 0.5 : 0.2) * all;
  }

  void fill_upwards() {
    for (std::size_t i = order_.size(); i-- > 0;) {
      const int j = order_[i], parent = joints_[j].parent;
      if (parent >= 0 && roles_[parent].joint == Other) roles_[parent].joint = roles_[j].joint;
    }
    if (has_tree(joints_)) return;
    const std::vector<JointRole> known = roles_;
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (roles_[j].joint == Other) roles_[j].joint = known[nearest(j, known)].joint;
  }

  /// The nearest joint with a role, for joints without a tree.
  std::size_t nearest(std::size_t j, const std::vector<JointRole>& roles) const {
    std::size_t best = j;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < joints_.size(); ++other) {
      const double distance = (joints_[other].position - joints_[j].position).norm();
      if (roles[other].joint != Other && distance < least) least = distance, best = other;
    }
    return best;
  }
};

}  // namespace

std::vector<JointRole> joint_roles(const std::vector<SkeletonJoint>& joints, std::span<const double> moved) {
  return RoleChooser(joints, moved).choose();
}

std::vector<JointRole> joint_roles(const Skeleton& skeleton) {
  std::vector<double> moved(skeleton.joints.size(), 0);
  const Influences& w = skeleton.influences;
  for (std::size_t k = 0; k < w.joints.size(); ++k) moved[w.joints[k]] += w.weights[k];
  return joint_roles(skeleton.joints, moved);
}

int recognised_above(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                     std::size_t j) {
  int up = joints[j].parent;
  while (up >= 0 && !roles[up].recognised()) up = joints[up].parent;
  return up;
}

bool has_tree(const std::vector<SkeletonJoint>& joints) {
  return std::any_of(joints.begin(), joints.end(), [](const SkeletonJoint& j) { return j.parent >= 0; });
}

std::optional<int> find_joint(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                              HumanJoint joint, BodySide side) {
  std::optional<int> best;
  int best_depth = 0;
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    if (!roles[j].recognised() || roles[j].joint != joint || roles[j].side != side) continue;
    int depth = 0;
    for (int up = joints[j].parent; up >= 0; up = joints[up].parent) ++depth;
    if (!best || depth < best_depth) best = j, best_depth = depth;
  }
  return best;
}

}  // namespace cutis
