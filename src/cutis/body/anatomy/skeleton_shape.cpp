#include "cutis/body/anatomy/skeleton_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "cutis/body/anatomy/limb_parts.h"
#include "cutis/body/anatomy/skeleton_tree.h"

namespace cutis {
namespace {

/// Two chains of one joint that are each other's mirror image.
struct LimbPair {
  int at = -1;         ///< the joint of the trunk that they begin at
  int a = -1, b = -1;  ///< their first joints
  double length = 0;   ///< of both on average, from the trunk to their ends [m]
  int depth = 0;       ///< of `at` in the tree
  double height = 0;   ///< of their ends [m]
  bool hands = false;  ///< they end in three fingers or more
};

/// How far the bones of a left and a right limb may differ, over their length.
constexpr double kMirrorTolerance = 0.12;
/// Pairs that are shorter, over the longest, are no limbs: eyes, ears, breasts.
constexpr double kShortestLimb = 0.35;

class ShapeReader {
 public:
  ShapeReader(const std::vector<SkeletonJoint>& joints, std::span<const double> moved)
      : joints_(joints), tree_(joints, moved), roles_(joints.size()) {}

  std::vector<JointRole> read() {
    if (tree_.order().size() < 3 || !(tree_.reach(tree_.order().front()) > 0)) return std::move(roles_);
    limbs_ = find_limbs();
    if (limbs_.size() > 1)
      read_body();
    else if (is_hand())
      read_hand();
    else if (limbs_.size() == 1)
      read_torso(limbs_.front());
    else
      read_head();
    return std::move(roles_);
  }

 private:
  const std::vector<SkeletonJoint>& joints_;
  SkeletonTree tree_;
  std::vector<JointRole> roles_;
  std::vector<LimbPair> limbs_;
  Vec3 left_ = Vec3::UnitX();

  void set(int j, HumanJoint joint, BodySide side = BodySide::Middle) {
    roles_[j] = {joint, side, RoleSource::Shape};
  }
  int root() const { return tree_.order().front(); }
  const Vec3& at(int j) const { return tree_.position(j); }
  Vec3 tip(int j) const { return at(tree_.chain(j).back()); }

  bool mirrored(int a, int b) const {
    if (!(tree_.reach(a) > 0) || !(tree_.reach(b) > 0)) return false;
    const double length = std::max(tree_.length(a), tree_.length(b));
    const std::vector<int> left = tree_.chain(a), right = tree_.chain(b);
    double difference = std::abs(tree_.length(a) - tree_.length(b));
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
      difference += std::abs(tree_.bone(left[i]) - tree_.bone(right[i]));
    return difference < kMirrorTolerance * length;
  }

  LimbPair limb_pair(int a, int b) const {
    LimbPair pair{tree_.parent(a), a, b};
    pair.length = 0.5 * (tree_.length(a) + tree_.length(b));
    pair.depth = tree_.depth(pair.at);
    pair.height = 0.5 * (tip(a).y() + tip(b).y());
    for (int j : tree_.chain(a)) pair.hands |= tree_.branches(j) >= 3;
    return pair;
  }

  /// Pairs of limbs that are not part of other limbs, the longest first.
  std::vector<LimbPair> find_limbs() const {
    std::vector<LimbPair> pairs;
    for (int j : tree_.order()) {
      const std::vector<int>& children = tree_.children(j);
      for (std::size_t i = 0; i < children.size(); ++i)
        for (std::size_t k = i + 1; k < children.size(); ++k)
          if (mirrored(children[i], children[k])) pairs.push_back(limb_pair(children[i], children[k]));
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const LimbPair& a, const LimbPair& b) { return a.length > b.length; });
    std::vector<LimbPair> limbs;
    for (const LimbPair& pair : pairs) {
      if (pair.length < kShortestLimb * pairs.front().length) break;
      const bool taken = std::any_of(limbs.begin(), limbs.end(), [&](const LimbPair& limb) {
        return tree_.is_below(pair.a, limb.a) || tree_.is_below(pair.a, limb.b) ||
               tree_.is_below(pair.b, limb.a) || tree_.is_below(pair.b, limb.b);
      });
      if (!taken) limbs.push_back(pair);
    }
    return limbs;
  }

  /// Legs begin nearest to the root and reach lowest.
  const LimbPair& find_legs() const {
    int depth = limbs_.front().depth;
    double low = limbs_.front().height, high = low;
    for (const LimbPair& limb : limbs_) {
      depth = std::min(depth, limb.depth);
      low = std::min(low, limb.height), high = std::max(high, limb.height);
    }
    const bool flat = high - low < 0.15 * limbs_.front().length;  // all stand on the ground
    const auto score = [&](const LimbPair& limb) {
      return (flat ? 0 : (high - limb.height) / (high - low)) + (limb.depth == depth ? 0.7 : 0);
    };
    return *std::max_element(limbs_.begin(), limbs_.end(),
                             [&](const LimbPair& a, const LimbPair& b) { return score(a) < score(b); });
  }

  /// Arms have hands, or else begin nearest to the root of what does not begin with the legs (long hair
  /// begins further up).
  const LimbPair& find_arms(const LimbPair& legs) const {
    const LimbPair* best = nullptr;
    const auto worth = [&](const LimbPair& limb) {
      return std::tuple(limb.at != legs.at, limb.hands, -limb.depth);
    };
    for (const LimbPair& limb : limbs_)
      if (&limb != &legs && (!best || worth(limb) > worth(*best))) best = &limb;
    return *best;
  }

  void read_body() {
    const LimbPair& legs = find_legs();
    const LimbPair& arms = find_arms(legs);
    const std::vector<int> trunk = tree_.path(legs.at, arms.at);
    for (int j : trunk) set(j, HumanJoint::Spine);
    set(legs.at, HumanJoint::Pelvis);
    set(arms.at, HumanJoint::Chest);
    find_left(legs, arms);
    read_pair(legs, false);
    read_pair(arms, true);
    read_neck(arms.at, trunk, at(arms.at) - at(legs.at));
    read_tail(legs.at, trunk, legs.length);
  }

  /// The trunk leads to the front on four legs; feet point there on two, and glTF says +Z where there are
  /// none.
  void find_left(const LimbPair& legs, const LimbPair& arms) {
    const Vec3 trunk = at(arms.at) - at(legs.at);
    const Vec3 standing = at(legs.at) - 0.5 * (tip(legs.a) + tip(legs.b));
    const Vec3 across = (tip(legs.a) - tip(legs.b)) + (at(legs.a) - at(legs.b)) + (tip(arms.a) - tip(arms.b));
    Vec3 up = trunk, front = Vec3::Zero();
    if (trunk.dot(standing) < 0.7 * trunk.norm() * standing.norm()) {
      up = standing, front = trunk;
    } else {
      for (int leg : {legs.a, legs.b}) {
        const auto [joints, parts] = split(leg, false);
        if (parts.end >= 0) front += at(joints.back()) - at(joints[static_cast<std::size_t>(parts.end)]);
      }
      front -= front.dot(up) / std::max(up.squaredNorm(), 1e-30) * up;
    }
    if (front.norm() < 0.02 * legs.length) front = Vec3::UnitZ();
    left_ = across;
    if (across.dot(up.cross(front)) < 0) left_ = -across;
  }

  BodySide side_of(const LimbPair& pair, int first) const {
    const Vec3 other = first == pair.a ? tip(pair.b) + at(pair.b) : tip(pair.a) + at(pair.a);
    return (tip(first) + at(first) - other).dot(left_) > 0 ? BodySide::Left : BodySide::Right;
  }

  std::pair<std::vector<int>, LimbParts> split(int first, bool arm) const {
    const std::vector<int> joints = tree_.chain(first);
    std::vector<double> bones;
    std::optional<int> end;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (i > 0) bones.push_back(tree_.bone(joints[i]));
      if (!end && tree_.branches(joints[i]) >= 3) end = static_cast<int>(i);
    }
    return {joints, limb_parts(bones, arm ? human_arm : human_leg, end)};
  }

  void read_pair(const LimbPair& pair, bool arm) {
    for (int first : {pair.a, pair.b}) read_limb(first, arm, side_of(pair, first));
  }

  void read_limb(int first, bool arm, BodySide side) {
    using enum HumanJoint;
    const auto [joints, parts] = split(first, arm);
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
      const int j = joints[static_cast<std::size_t>(i)];
      if (i < parts.upper)
        set(j, arm ? Clavicle : Pelvis, side);
      else if (parts.lower < 0 || i < parts.lower)
        set(j, arm ? UpperArm : Thigh, side);
      else if (parts.end < 0 || i < parts.end)
        set(j, arm ? Forearm : Shin, side);
      else if (i == parts.end)
        read_end(j, arm, side);
    }
  }

  /// A hand or foot, and all below it. The first bone of a finger of four lies in the palm.
  void read_end(int j, bool arm, BodySide side) {
    using enum HumanJoint;
    for (int below : tree_.order())
      if (below != j && tree_.is_below(below, j)) set(below, arm ? Finger : Toe, side);
    set(j, arm ? Hand : Foot, side);
    for (int child : tree_.children(j))
      if (arm && tree_.branches(j) >= 3 && tree_.chain(child).size() >= 4) set(child, Hand, side);
  }

  /// The longest chain from this joint that is neither trunk nor limb.
  std::optional<int> free_chain(int j, const std::vector<int>& trunk) const {
    std::optional<int> best;
    for (int child : tree_.children(j)) {
      const bool limb = std::any_of(limbs_.begin(), limbs_.end(),
                                    [&](const LimbPair& pair) { return pair.a == child || pair.b == child; });
      const bool free = !limb && std::find(trunk.begin(), trunk.end(), child) == trunk.end();
      if (free && (!best || tree_.length(child) > tree_.length(*best))) best = child;
    }
    return best;
  }

  /// The head is where the face begins, or the last joint; one that goes down again is a jaw.
  void read_neck(int chest, const std::vector<int>& trunk, const Vec3& up) {
    const auto first = free_chain(chest, trunk);
    if (!first) return;
    std::vector<int> chain = tree_.chain(*first);
    for (std::size_t i = 0; i < chain.size(); ++i)
      if (tree_.children(chain[i]).size() > 1) chain.resize(i + 1);
    const auto climbs = [&](int j) {
      return (at(j) - at(tree_.parent(j))).dot(up) > 0.3 * tree_.bone(j) * up.norm();
    };
    if (chain.size() > 2 && !climbs(chain.back()) && climbs(chain[chain.size() - 2])) chain.pop_back();
    for (int j : chain) set(j, HumanJoint::Neck);
    set(chain.back(), HumanJoint::Head);
  }

  /// In the middle of the body, of two joints or more.
  void read_tail(int pelvis, const std::vector<int>& trunk, double leg) {
    const auto first = free_chain(pelvis, trunk);
    if (!first || tree_.length(*first) < 0.1 * leg) return;
    const std::vector<int> chain = tree_.chain(*first);
    const Vec3 away = at(*first) - at(pelvis);
    if (chain.size() < 2 || std::abs(away.dot(left_.normalized())) > 0.05 * leg) return;
    for (int j : chain) set(j, HumanJoint::Tail);
  }

  /// Arms and a head, which is shorter than they are: what leads on from legs is a whole trunk.
  void read_torso(const LimbPair& arms) {
    const std::vector<int> trunk = tree_.path(root(), arms.at);
    const auto neck = free_chain(arms.at, trunk);
    if (trunk.size() < 2 || !neck || tree_.length(*neck) > 0.6 * arms.length) return;
    const Vec3 up = at(arms.at) - at(root());
    left_ = tip(arms.a) - tip(arms.b);
    if (left_.dot(up.cross(Vec3::UnitZ())) < 0) left_ = -left_;
    for (int j : trunk) set(j, HumanJoint::Spine);
    set(root(), HumanJoint::Pelvis);
    set(arms.at, HumanJoint::Chest);
    read_pair(arms, true);
    read_neck(arms.at, trunk, up);
  }

  /// Chains from the tips inwards, up to where others join them: tip and first joint.
  std::vector<std::pair<int, int>> end_chains() const {
    std::vector<std::pair<int, int>> chains;
    for (int j : tree_.order()) {
      if (!tree_.children(j).empty()) continue;
      int first = j;
      while (tree_.parent(first) >= 0 && tree_.children(tree_.parent(first)).size() == 1)
        first = tree_.parent(first);
      if (first != j && first != root()) chains.emplace_back(j, first);
    }
    return chains;
  }

  /// Four to six chains of similar length that point the same way and hold most of the joints.
  bool is_hand() const {
    const auto chains = end_chains();
    if (chains.size() < 4 || chains.size() > 6) return false;
    Vec3 direction = Vec3::Zero();
    double shortest = 0, longest = 0;
    std::size_t joints = 0;
    for (const auto& [end, first] : chains) {
      const double length = tree_.length(first);
      shortest = joints == 0 ? length : std::min(shortest, length);
      longest = std::max(longest, length);
      direction += (at(end) - at(first)).normalized();
      joints += tree_.path(first, end).size();
    }
    return shortest > 0.4 * longest && direction.norm() > 0.7 * static_cast<double>(chains.size()) &&
           5 * joints > 3 * tree_.order().size();
  }

  void read_hand() {
    for (int j : tree_.order()) set(j, HumanJoint::Hand);
    for (const auto& [end, first] : end_chains()) {
      const std::vector<int> finger = tree_.path(first, end);
      for (std::size_t i = finger.size() >= 4 ? 1 : 0; i < finger.size(); ++i)
        set(finger[i], HumanJoint::Finger);
    }
  }

  /// A chain that ends in two eyes, which lie beside its direction: those of a claw go on in it. The skin of
  /// the head need not move with them.
  void read_head() {
    const SkeletonTree tree(joints_, {});
    std::vector<int> chain{tree.order().front()};
    while (tree.children(chain.back()).size() == 1) chain.push_back(tree.children(chain.back()).front());
    const std::vector<int>& eyes = tree.children(chain.back());
    if (chain.size() < 2 || eyes.size() != 2 || tree.reach(eyes[0]) > 0 || tree.reach(eyes[1]) > 0) return;
    const Vec3 up = at(chain.back()) - at(chain.front());
    const Vec3 front = 0.5 * (at(eyes[0]) + at(eyes[1])) - at(chain.back());
    const double bones[] = {tree.bone(eyes[0]), tree.bone(eyes[1])};
    if (std::abs(bones[0] - bones[1]) > kMirrorTolerance * std::max(bones[0], bones[1]) ||
        front.dot(up) > 0.85 * front.norm() * up.norm())
      return;
    for (int j : chain) set(j, HumanJoint::Neck);
    set(chain.back(), HumanJoint::Head);
    // A joint level with the eyes lies in the middle of the head, and the one before it at its base.
    if (chain.size() > 2 && std::abs(front.y()) < 0.35 * front.norm())
      set(chain[chain.size() - 2], HumanJoint::Head);
    const bool ordered = (at(eyes[0]) - at(eyes[1])).dot(up.cross(front)) > 0;
    set(eyes[0], HumanJoint::Eye, ordered ? BodySide::Left : BodySide::Right);
    set(eyes[1], HumanJoint::Eye, ordered ? BodySide::Right : BodySide::Left);
  }
};

}  // namespace

std::vector<JointRole> roles_from_shape(const std::vector<SkeletonJoint>& joints,
                                        std::span<const double> moved) {
  return ShapeReader(joints, moved).read();
}

}  // namespace cutis
