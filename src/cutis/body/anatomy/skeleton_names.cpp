#include "cutis/body/anatomy/skeleton_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "cutis/body/rig/pose.h"

namespace cutis {
namespace {

using Words = std::vector<std::string>;

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// "mixamorig:LeftForeArm_02" is left, fore, arm: words end where a capital begins one, and numbers go.
Words words_of(const std::string& name) {
  Words words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c)) {
      end();
      continue;
    }
    const bool after_lower = i > 0 && is_lower(name[i - 1]);
    const bool before_lower = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (is_upper(c) && (after_lower || before_lower)) end();
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  end();
  return words;
}

/// What the words of one name say, before its neighbours are asked.
struct Reading {
  BodySide side = BodySide::Middle;
  std::string key;  ///< the words that are left, joined
  Words words;
  bool has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }
};

Reading read_name(const std::string& name) {
  // Prefixes of exporters, and words that say nothing of the place.
  static const std::set<std::string> noise = {"mixamorig", "bip",      "bone",     "joint", "jnt",
                                              "def",       "org",      "rig",      "b",     "j",
                                              "c",         "skeleton", "armature", "bind",  "smplhf"};
  Reading reading;
  for (const std::string& word : words_of(name)) {
    if (word == "left" || word == "l") {
      reading.side = BodySide::Left;
    } else if (word == "right" || word == "r") {
      reading.side = BodySide::Right;
    } else if (!noise.contains(word)) {
      reading.key += word;
      reading.words.push_back(word);
    }
  }
  return reading;
}

struct Synonym {
  const char* key;
  HumanJoint joint;
};
/// Whole names without side and number. Words whose meaning depends on their neighbours come further down.
constexpr std::array kSynonyms = std::to_array<Synonym>({
    {"pelvis", HumanJoint::Pelvis},
    {"hips", HumanJoint::Pelvis},
    {"spine", HumanJoint::Spine},
    {"abdomen", HumanJoint::Spine},
    {"belly", HumanJoint::Spine},
    {"waist", HumanJoint::Spine},
    {"lowerback", HumanJoint::Spine},
    {"torso", HumanJoint::Spine},
    {"chest", HumanJoint::Chest},
    {"upperchest", HumanJoint::Chest},
    {"thorax", HumanJoint::Chest},
    {"ribcage", HumanJoint::Chest},
    {"neck", HumanJoint::Neck},
    {"upperneck", HumanJoint::Neck},
    {"lowerneck", HumanJoint::Neck},
    {"head", HumanJoint::Head},
    {"skull", HumanJoint::Head},
    {"skullbase", HumanJoint::Head},
    {"jaw", HumanJoint::Jaw},
    {"mandible", HumanJoint::Jaw},
    {"eye", HumanJoint::Eye},
    {"eyeball", HumanJoint::Eye},
    {"nose", HumanJoint::Nose},
    {"lip", HumanJoint::Lip},
    {"lips", HumanJoint::Lip},
    {"lipt", HumanJoint::Lip},
    {"lipb", HumanJoint::Lip},
    {"oris", HumanJoint::Lip},
    {"ear", HumanJoint::Ear},
    {"breast", HumanJoint::Breast},
    {"clavicle", HumanJoint::Clavicle},
    {"collar", HumanJoint::Clavicle},
    {"collarbone", HumanJoint::Clavicle},
    {"upperarm", HumanJoint::UpperArm},
    {"uparm", HumanJoint::UpperArm},
    {"arm", HumanJoint::UpperArm},
    {"forearm", HumanJoint::Forearm},
    {"lowerarm", HumanJoint::Forearm},
    {"elbow", HumanJoint::Forearm},
    {"wrist", HumanJoint::Hand},
    {"palm", HumanJoint::Hand},
    {"metacarpal", HumanJoint::Hand},
    {"thigh", HumanJoint::Thigh},
    {"upleg", HumanJoint::Thigh},
    {"upperleg", HumanJoint::Thigh},
    {"femur", HumanJoint::Thigh},
    {"shin", HumanJoint::Shin},
    {"calf", HumanJoint::Shin},
    {"lowerleg", HumanJoint::Shin},
    {"lowleg", HumanJoint::Shin},
    {"knee", HumanJoint::Shin},
    {"ankle", HumanJoint::Foot},
    {"heel", HumanJoint::Foot},
    {"toe", HumanJoint::Toe},
    {"toes", HumanJoint::Toe},
    {"toebase", HumanJoint::Toe},
    {"bigtoe", HumanJoint::Toe},
    {"ball", HumanJoint::Toe},
    {"tail", HumanJoint::Tail},
    {"foreupper", HumanJoint::UpperArm},
    {"forelower", HumanJoint::Forearm},
    {"forecannon", HumanJoint::Hand},
    {"forepaw", HumanJoint::Finger},
    {"frontpaw", HumanJoint::Finger},
    {"hindupper", HumanJoint::Thigh},
    {"hindlower", HumanJoint::Shin},
    {"hindcannon", HumanJoint::Foot},
    {"hindpaw", HumanJoint::Toe},
    {"backpaw", HumanJoint::Toe},
});

HumanJoint plain_meaning(const Reading& r) {
  for (const Synonym& s : kSynonyms)
    if (r.key == s.key) return s.joint;
  if (r.has("thumb")) return HumanJoint::Thumb;
  if (r.has("metacarpal")) return HumanJoint::Hand;
  for (const char* finger : {"finger", "index", "middle", "ring", "pinky", "little"})
    if (r.has(finger)) return HumanJoint::Finger;
  return HumanJoint::Other;
}

/// All names of one skeleton, read together.
class NameReader {
 public:
  explicit NameReader(const std::vector<SkeletonJoint>& joints) : joints_(joints), roles_(joints.size()) {
    std::vector<Node> nodes(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      nodes[j].name = joints[j].name;
      nodes[j].parent = joints[j].parent;
      readings_.push_back(read_name(joints[j].name));
      roles_[j].side = readings_[j].side;
      set(j, plain_meaning(readings_[j]));
    }
    order_ = parents_first(nodes);
  }

  std::vector<JointRole> read() {
    for (BodySide side : {BodySide::Left, BodySide::Right}) read_side(side);
    read_middle();
    read_numbered_spine();
    const bool any = std::any_of(roles_.begin(), roles_.end(), [](const JointRole& r) { return r.named; });
    if (any) fill();
    return roles_;
  }

 private:
  const std::vector<SkeletonJoint>& joints_;
  std::vector<JointRole> roles_;
  std::vector<Reading> readings_;
  std::vector<int> order_;

  void set(std::size_t j, HumanJoint joint) {
    if (joint != HumanJoint::Other) roles_[j].joint = joint, roles_[j].named = true;
  }
  bool there(BodySide side, HumanJoint joint) const {
    return std::any_of(roles_.begin(), roles_.end(),
                       [&](const JointRole& r) { return r.named && r.side == side && r.joint == joint; });
  }
  bool there(BodySide side, std::string_view key) const {
    return std::any_of(readings_.begin(), readings_.end(),
                       [&](const Reading& r) { return r.side == side && r.key == key; });
  }
  /// Joints of this name, parents first.
  std::vector<int> named(BodySide side, std::string_view key) const {
    std::vector<int> found;
    for (int j : order_)
      if (readings_[j].side == side && readings_[j].key == key) found.push_back(j);
    return found;
  }
  void name_all(BodySide side, std::string_view key, HumanJoint joint) {
    for (int j : named(side, key)) set(j, joint);
  }
  /// Numbered joints of one limb, such as leg_1 to leg_4, are its parts from the trunk on.
  void name_chain(BodySide side, std::string_view key, std::initializer_list<HumanJoint> parts) {
    const HumanJoint* part = parts.begin();
    for (int j : named(side, key)) {
      set(j, *part);
      if (part + 1 != parts.end()) ++part;
    }
  }

  void read_side(BodySide side) {
    using enum HumanJoint;
    const bool ankle = there(side, "ankle"), wrist = there(side, "wrist");
    // The arm, before the words that depend on it.
    const std::size_t arms = named(side, "arm").size();
    if (arms > 1 && !there(side, Forearm)) name_chain(side, "arm", {UpperArm, Forearm, Hand});
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

  /// The spine's last joint below the arms and the neck is the chest; where no joint is called head, what the
  /// spine still has above them is the neck, and its end the head (Rigify's spine.004 to spine.006).
  void read_numbered_spine() {
    using enum HumanJoint;
    int top = -1;
    std::vector<int> above;
    for (int j : order_)
      if (roles_[j].joint == Clavicle || roles_[j].joint == UpperArm || roles_[j].joint == Neck)
        for (int up = joints_[j].parent; up >= 0 && top < 0; up = joints_[up].parent)
          if (roles_[up].named && roles_[up].joint == Spine) top = up;
    if (top < 0) return;
    const bool chest = there(BodySide::Middle, Chest);
    if (!chest) roles_[top].joint = Chest;
    if (there(BodySide::Middle, Head)) return;
    for (int j : order_)
      for (int up = joints_[j].parent; up >= 0; up = joints_[up].parent)
        if (up == top && roles_[j].named && roles_[j].joint == Spine) above.push_back(j);
    for (int j : above) roles_[j].joint = Neck;
    if (!above.empty()) roles_[above.back()].joint = Head;
  }

  void fill() {
    for (int j : order_) {
      const int parent = joints_[j].parent;
      if (roles_[j].joint != HumanJoint::Other || parent < 0) continue;
      const BodySide side = roles_[j].side;
      roles_[j] = {roles_[parent].joint, side == BodySide::Middle ? roles_[parent].side : side, false};
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      const int j = order_[i], parent = joints_[j].parent;
      if (parent >= 0 && roles_[parent].joint == HumanJoint::Other) roles_[parent].joint = roles_[j].joint;
    }
  }
};

}  // namespace

std::vector<JointRole> joint_roles(const std::vector<SkeletonJoint>& joints) {
  return NameReader(joints).read();
}

std::optional<int> find_joint(const std::vector<SkeletonJoint>& joints, const std::vector<JointRole>& roles,
                              HumanJoint joint, BodySide side) {
  std::optional<int> best;
  int best_depth = 0;
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    if (!roles[j].named || roles[j].joint != joint || roles[j].side != side) continue;
    int depth = 0;
    for (int up = joints[j].parent; up >= 0; up = joints[up].parent) ++depth;
    if (!best || depth < best_depth) best = j, best_depth = depth;
  }
  return best;
}

}  // namespace cutis
