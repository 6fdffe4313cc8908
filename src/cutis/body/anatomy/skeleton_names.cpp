#include "cutis/body/anatomy/skeleton_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cutis/body/anatomy/joint_words.h"
#include "cutis/body/rig/pose.h"

namespace cutis {
namespace {

struct PartJoint {
  const char* part;
  HumanJoint joint;
};
/// Parts that mean one joint. Words whose meaning depends on their neighbours come further down.
constexpr std::array kPartJoints = std::to_array<PartJoint>({
    {"pelvis", HumanJoint::Pelvis},     {"spine", HumanJoint::Spine},       {"torso", HumanJoint::Spine},
    {"chest", HumanJoint::Chest},       {"neck", HumanJoint::Neck},         {"head", HumanJoint::Head},
    {"jaw", HumanJoint::Jaw},           {"eye", HumanJoint::Eye},           {"nose", HumanJoint::Nose},
    {"lip", HumanJoint::Lip},           {"ear", HumanJoint::Ear},           {"breast", HumanJoint::Breast},
    {"clavicle", HumanJoint::Clavicle}, {"upperarm", HumanJoint::UpperArm}, {"arm", HumanJoint::UpperArm},
    {"forearm", HumanJoint::Forearm},   {"elbow", HumanJoint::Forearm},     {"wrist", HumanJoint::Hand},
    {"palm", HumanJoint::Hand},         {"thumb", HumanJoint::Thumb},       {"finger", HumanJoint::Finger},
    {"thigh", HumanJoint::Thigh},       {"upperleg", HumanJoint::Thigh},    {"shin", HumanJoint::Shin},
    {"lowerleg", HumanJoint::Shin},     {"knee", HumanJoint::Shin},         {"ankle", HumanJoint::Foot},
    {"toe", HumanJoint::Toe},           {"tail", HumanJoint::Tail},
});

HumanJoint plain_meaning(const JointWords& words) {
  for (const PartJoint& p : kPartJoints)
    if (words.part == p.part) return p.joint;
  return HumanJoint::Other;
}

/// All names of one skeleton, read together.
class NameReader {
 public:
  NameReader(const std::vector<SkeletonJoint>& joints, const std::vector<int>& order)
      : joints_(joints),
        order_(order),
        words_(read_joint_words(joints)),
        roles_(joints.size()),
        counted_(joints.size(), false) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      roles_[j].side = words_[j].side;
      if (!words_[j].helper) set(j, plain_meaning(words_[j]));
    }
  }

  NamedRoles read() {
    for (BodySide side : {BodySide::Left, BodySide::Right}) read_side(side);
    read_middle();
    read_helpers();
    read_numbered_spine();
    read_numbered_neck();
    return {std::move(roles_), std::move(counted_)};
  }

 private:
  const std::vector<SkeletonJoint>& joints_;
  const std::vector<int>& order_;
  std::vector<JointWords> words_;
  std::vector<JointRole> roles_;
  std::vector<bool> counted_;

  void set(std::size_t j, HumanJoint joint) {
    if (joint != HumanJoint::Other) roles_[j].joint = joint, roles_[j].source = RoleSource::Name;
  }
  bool there(BodySide side, HumanJoint joint) const {
    return std::any_of(roles_.begin(), roles_.end(), [&](const JointRole& r) {
      return r.recognised() && r.side == side && r.joint == joint;
    });
  }
  bool there(BodySide side, std::string_view part) const {
    return std::any_of(words_.begin(), words_.end(),
                       [&](const JointWords& w) { return !w.helper && w.side == side && w.part == part; });
  }
  /// Joints of this name, parents first.
  std::vector<int> named(BodySide side, std::string_view part) const {
    std::vector<int> found;
    for (int j : order_)
      if (!words_[j].helper && words_[j].side == side && words_[j].part == part) found.push_back(j);
    return found;
  }
  void name_all(BodySide side, std::string_view part, HumanJoint joint) {
    for (int j : named(side, part)) set(j, joint);
  }
  /// Numbered joints of one limb, such as leg_1 to leg_4, are its parts from the trunk on.
  void name_chain(BodySide side, std::string_view part, std::initializer_list<HumanJoint> along) {
    const HumanJoint* joint = along.begin();
    const std::vector<int> chain = named(side, part);
    for (int j : chain) {
      set(j, *joint);
      counted_[j] = chain.size() != along.size();
      if (joint + 1 != along.end()) ++joint;
    }
  }

  void read_side(BodySide side) {
    using enum HumanJoint;
    const bool ankle = there(side, "ankle"), wrist = there(side, "wrist");
    // The arm, before the words that depend on it.
    const std::size_t arms = named(side, "arm").size();
    if (arms > 1 && !there(side, Forearm)) name_chain(side, "arm", {UpperArm, Forearm, Hand});
    name_chain(side, "frontleg", {UpperArm, Forearm, Hand, Finger});
    const bool upper = there(side, UpperArm);
    name_all(side, "shoulder", upper || !there(side, Forearm) ? Clavicle : UpperArm);
    if (wrist)
      name_all(side, "hand", Finger);
    else
      name_chain(side, "hand", {Hand});
    const bool thigh = there(side, Thigh);
    name_all(side, "hip", thigh ? Pelvis : Thigh);
    if (thigh || there(side, "hip"))
      name_all(side, "leg", Shin);
    else if (there(side, Foot) || there(side, "foot"))
      name_chain(side, "leg", {Thigh, Shin});
    else
      name_chain(side, "leg", {Thigh, Shin, Foot, Toe});
    if (ankle)
      name_all(side, "foot", Toe);
    else if (there(side, Toe))
      name_all(side, "foot", Foot);
    else
      name_chain(side, "foot", {Foot, Toe});
  }

  void read_middle() {
    using enum HumanJoint;
    name_all(BodySide::Middle, "hip", Pelvis);
    // A hand or an arm alone may name no side.
    name_all(BodySide::Middle, "hand", Hand);
    name_all(BodySide::Middle, "foot", Foot);
    name_all(BodySide::Middle, "shoulder", there(BodySide::Middle, UpperArm) ? Clavicle : UpperArm);
    // "torso" is the pelvis where nothing else is.
    const std::vector<int> torso = named(BodySide::Middle, "torso");
    if (!torso.empty() && !there(BodySide::Middle, Pelvis)) set(torso[0], Pelvis);
  }

  /// A twist bone stands for its part where nothing else does (Character Creator's NeckTwist).
  void read_helpers() {
    std::vector<std::pair<int, HumanJoint>> alone;
    for (int j : order_) {
      const HumanJoint joint = plain_meaning(words_[j]);
      if (words_[j].helper && !there(words_[j].side, joint)) alone.emplace_back(j, joint);
    }
    for (const auto& [j, joint] : alone) set(j, joint);
  }

  /// The spine's last joint below the arms and the neck is the chest; where no joint is called head, what the
  /// spine still has above them is the neck, and its end the head (Rigify's spine.004 to spine.006).
  void read_numbered_spine() {
    using enum HumanJoint;
    int top = -1;
    std::vector<int> above;
    for (int j : order_)
      if (roles_[j].joint == Clavicle || roles_[j].joint == UpperArm || roles_[j].joint == Neck)
        for (int up = joints_[j].parent; up >= 0 && top < 0; up = joints_[up].parent)
          if (roles_[up].recognised() && roles_[up].joint == Spine) top = up;
    if (top < 0) return;
    const bool chest = there(BodySide::Middle, Chest);
    if (!chest) roles_[top].joint = Chest;
    if (there(BodySide::Middle, Head)) return;
    for (int j : order_)
      for (int up = joints_[j].parent; up >= 0; up = joints_[up].parent)
        if (up == top && roles_[j].recognised() && roles_[j].joint == Spine) above.push_back(j);
    for (int j : above) roles_[j].joint = Neck;
    if (!above.empty()) roles_[above.back()].joint = Head;
  }

  /// Where no joint is called head, the last of several of the neck is.
  void read_numbered_neck() {
    using enum HumanJoint;
    std::vector<int> neck;
    for (int j : order_)
      if (roles_[j].recognised() && roles_[j].joint == Neck) neck.push_back(j);
    if (!there(BodySide::Middle, "head"))
      for (int j : neck) counted_[j] = true;
    if (neck.size() > 1 && !there(BodySide::Middle, Head)) roles_[neck.back()].joint = Head;
  }
};

}  // namespace

NamedRoles roles_from_names(const std::vector<SkeletonJoint>& joints, const std::vector<int>& parents_first) {
  return NameReader(joints, parents_first).read();
}

}  // namespace cutis
