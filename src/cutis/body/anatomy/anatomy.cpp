#include "cutis/body/anatomy/anatomy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace cutis {
namespace {

using enum HumanJoint;
using Parts = std::initializer_list<HumanJoint>;

constexpr Parts kHead = {Head, Jaw, Eye, Nose, Lip, Ear};
constexpr Parts kTrunk = {Pelvis, Spine, Chest, Breast, Clavicle};
constexpr BodySide kSides[] = {BodySide::Left, BodySide::Right};

/// Lengths of an adult of 1.75 m [m]: hip joint to ankle, hips to the base of the neck, upper arm.
constexpr double kLeg = 0.84, kTrunkLength = 0.535, kUpperArm = 0.29;
/// From the tip of the nose to the top of the head, along the trunk [m].
constexpr double kNoseToTop = 0.137;
/// From the wrist to the furthest joint of a finger [m].
constexpr double kWristToFingertip = 0.165;

/// A head or a hand alone is taken for an adult's unless it cannot be one.
double size_of_part(double ratio) { return ratio > 1.0 / 3 && ratio < 3 ? 1 : ratio; }

IdVector<VertexId, std::array<double, human_joint_count>> shares_of(const Body& body,
                                                                    const Skeleton& skeleton,
                                                                    const std::vector<JointRole>& roles) {
  IdVector<VertexId, std::array<double, human_joint_count>> shares(body.mesh().vertex_count(), {});
  const Influences& w = skeleton.influences;
  for (SourceVertexId s : ids<SourceVertexId>(body.source().vertex_count())) {
    auto& row = shares[body.weld().vertex_of[s]];
    for (auto k = w.offsets[s.index()]; k < w.offsets[s.index() + 1]; ++k)
      row[static_cast<std::size_t>(roles[w.joints[k]].joint)] += w.weights[k];
  }
  for (VertexId v : ids<VertexId>(shares.size())) shares[v] = shares[body.weld().first(v)];
  for (auto& row : shares) {
    double sum = 0;
    for (double share : row) sum += share;
    for (double& share : row) share = sum > 0 ? share / sum : 0;
    if (!(sum > 0)) row[0] = 1;
  }
  return shares;
}

constexpr double kNone = -std::numeric_limits<double>::infinity();  // no candidate

/// Finds the frame and the landmarks of one body.
class Explorer {
 public:
  Explorer(const Body& body, const Skeleton& skeleton, const std::vector<JointRole>& roles)
      : points_(body.mesh().positions), joints_(skeleton.joints), roles_(roles) {
    a_.shares = shares_of(body, skeleton, roles);
  }

  Anatomy explore() {
    find_size();
    const bool trunk = find_trunk_frame() || find_head_frame();
    if (const auto chest = place(Chest)) a_.chest = *chest;
    if (trunk && a_.four_legged) {
      add_muzzle();
    } else if (trunk) {
      add_face();
      if (hips_ && neck_) add_trunk();
    }
    for (BodySide side : {BodySide::Middle, BodySide::Left, BodySide::Right}) {
      if (!a_.four_legged) add_arm(side);
      if (!a_.four_legged) add_knee(side);
    }
    return std::move(a_);
  }

 private:
  const Points& points_;
  const std::vector<SkeletonJoint>& joints_;
  const std::vector<JointRole>& roles_;
  Anatomy a_;
  std::optional<Vec3> hips_, neck_;
  bool sized_ = false;  ///< the size follows from what was found

  std::optional<Vec3> place(HumanJoint joint, BodySide side = BodySide::Middle) const {
    const auto j = find_joint(joints_, roles_, joint, side);
    return j ? std::optional(joints_[*j].position) : std::nullopt;
  }
  /// Between the left and the right one.
  std::optional<Vec3> middle(HumanJoint joint) const {
    const auto l = place(joint, BodySide::Left), r = place(joint, BodySide::Right);
    return l && r ? std::optional<Vec3>(0.5 * (*l + *r)) : std::nullopt;
  }
  double share(VertexId v, Parts parts) const {
    double sum = 0;
    for (HumanJoint joint : parts) sum += a_.share(v, joint);
    return sum;
  }
  void add(LandmarkKind kind, BodySide side, const Vec3& from, const Vec3& to, double inner, double outer) {
    a_.landmarks.push_back({kind, side, from, to, inner, outer});
  }

  /// The vertex of these parts with the largest score; nothing where all scores are kNone.
  std::optional<Vec3> best(Parts parts, const std::function<double(const Vec3&)>& score) const {
    double most = kNone;
    std::optional<Vec3> found;
    for (VertexId v : ids<VertexId>(points_.size())) {
      if (share(v, parts) < 0.5) continue;
      const double s = score(points_[v]);
      if (s > most) most = s, found = points_[v];
    }
    return found;
  }

  /// Where a ray leaves the body, not further out than `reach`: beside the nearest vertex there, but on the
  /// ray, so that a middle stays in the middle and a left fits its right whatever the mesh.
  std::optional<Vec3> skin_along(const Vec3& origin, const Vec3& direction, double reach, Parts parts) const {
    const auto along = [&](const Vec3& p) { return (p - origin).dot(direction); };
    const auto vertex = best(parts, [&](const Vec3& p) {
      const double t = along(p), beside = (p - origin - t * direction).norm();
      return t > 0 && t < reach && beside < 0.7 * t ? -beside - 0.1 * t : kNone;
    });
    return vertex ? std::optional<Vec3>(origin + along(*vertex) * direction) : std::nullopt;
  }

  /// The same for the outermost skin within `beside` of the ray, past hollows on the way.
  std::optional<Vec3> outermost_along(const Vec3& origin, const Vec3& direction, double beside,
                                      Parts parts) const {
    const auto along = [&](const Vec3& p) { return (p - origin).dot(direction); };
    const auto vertex = best(parts, [&](const Vec3& p) {
      return (p - origin - along(p) * direction).norm() < beside ? along(p) : kNone;
    });
    return vertex ? std::optional<Vec3>(origin + along(*vertex) * direction) : std::nullopt;
  }

  Vec3 outwards(BodySide side) const { return side == BodySide::Left ? a_.left : Vec3(-a_.left); }

  void find_size() {
    std::vector<double> ratios;
    const auto compare = [&](const std::optional<Vec3>& a, const std::optional<Vec3>& b, double adult) {
      if (a && b && (*a - *b).norm() > 0) ratios.push_back((*a - *b).norm() / adult);
    };
    hips_ = middle(Thigh);
    if (!hips_) hips_ = place(Pelvis);
    neck_ = place(Neck);
    compare(hips_, neck_, kTrunkLength);
    for (BodySide side : {BodySide::Middle, BodySide::Left, BodySide::Right}) {
      compare(place(Thigh, side), place(Foot, side), kLeg);
      compare(place(UpperArm, side), place(Forearm, side), kUpperArm);
    }
    double sum = 0;
    for (double ratio : ratios) sum += ratio;
    sized_ = !ratios.empty();
    if (sized_) a_.size = sum / static_cast<double>(ratios.size());
    if (!sized_) size_by_hand();
  }

  /// Names and shape may tell sides or not within one hand.
  void size_by_hand() {
    double reach = 0;
    for (BodySide side : {BodySide::Middle, BodySide::Left, BodySide::Right}) {
      const auto wrist = place(Hand, side);
      for (std::size_t j = 0; wrist && j < joints_.size(); ++j)
        if (roles_[j].recognised() && roles_[j].joint == Finger &&
            (roles_[j].side == side || roles_[j].side == BodySide::Middle || side == BodySide::Middle))
          reach = std::max(reach, (joints_[j].position - *wrist).norm());
    }
    if (reach > 0) a_.size = size_of_part(reach / kWristToFingertip), sized_ = true;
  }

  /// Left from the pairs of joints; the sum of them all, so that one odd pair does not turn the body.
  Vec3 leftwards() const {
    Vec3 sum = Vec3::Zero();
    for (HumanJoint joint : {Thigh, UpperArm, Clavicle, Eye, Ear}) {
      const auto l = place(joint, BodySide::Left), r = place(joint, BodySide::Right);
      if (l && r) sum += *l - *r;
    }
    return sum;
  }

  void set_frame(const Vec3& up, const Vec3& left) {
    a_.up = up.normalized();
    a_.left = (left - left.dot(a_.up) * a_.up).normalized();
    a_.front = a_.left.cross(a_.up);
  }

  bool find_trunk_frame() {
    const Vec3 left = leftwards();
    const auto foot = middle(Foot), hip = middle(Thigh);
    if (!hips_ || !neck_ || left.norm() < 1e-9) return false;
    Vec3 up = *neck_ - *hips_;
    if (foot && hip) {
      // On two legs the trunk goes on where the legs come from; on four it lies across them.
      const Vec3 legs = *hip - *foot;
      a_.four_legged = up.dot(legs) < 0.7 * up.norm() * legs.norm();
      if (a_.four_legged) up = legs;
    }
    if (up.cross(left).norm() < 1e-9) return false;
    set_frame(up, left);
    return true;
  }

  /// A head alone: up is from the chest to the head (necks lean forward), the front where the nose is, which
  /// stands out furthest.
  bool find_head_frame() {
    const auto head = place(Head), base = place(Chest) ? place(Chest) : place(Neck);
    if (!head || !base || (*head - *base).norm() < 1e-9) return false;
    const Vec3 up = (*head - *base).normalized();
    const Vec3 left = leftwards();
    if (up.cross(left).norm() > 1e-9) return set_frame(up, left), true;
    const auto out = [&](const Vec3& p) -> Vec3 { return p - *head - (p - *head).dot(up) * up; };
    const auto nose = best(kHead, [&](const Vec3& p) { return out(p).norm(); });
    if (!nose) return false;
    set_frame(up, up.cross(out(*nose)));
    return true;
  }

  void add_face() {
    auto nose = best(kHead, [&](const Vec3& p) { return p.dot(a_.front); });
    const auto top = best(kHead, [&](const Vec3& p) { return p.dot(a_.up); });
    const auto head = place(Head);
    if (!nose || !top || !head) return;
    const double f = (*top - *nose).dot(a_.up) / kNoseToTop;  // size of the face
    if (!(f > 0)) return;
    if (!sized_) a_.size = size_of_part(f), sized_ = true;
    *nose -= (*nose - *head).dot(a_.left) * a_.left;
    add(LandmarkKind::Nose, BodySide::Middle, *nose - 0.01 * f * a_.front,
        *nose + f * (0.028 * a_.up - 0.022 * a_.front), 0.017 * f, 0.028 * f);
    for (double height : {-0.033, -0.047}) add_lip(*nose, height, f);
    for (BodySide side : kSides) {
      add_eyes(side, *nose, f);
      add_ear(side, *nose, f);
    }
  }

  /// The mouth's corners lie a little further back than its middle.
  void add_lip(const Vec3& nose, double height, double f) {
    const Vec3 inside = nose + f * (height * a_.up - 0.06 * a_.front);
    if (const auto lip = outermost_along(inside, a_.front, 0.009 * f, kHead))
      add(LandmarkKind::Lips, BodySide::Middle, *lip - f * (0.005 * a_.front + 0.018 * a_.left),
          *lip - f * (0.005 * a_.front - 0.018 * a_.left), 0.0135 * f, 0.024 * f);
  }

  /// Faces differ in how high above the tip of the nose the eyes sit: without a joint both ends of the usual
  /// range count.
  void add_eyes(BodySide side, const Vec3& nose, double f) {
    const auto joint = place(Eye, side);
    const Vec3 level = nose + f * (0.032 * outwards(side) - 0.07 * a_.front);
    const Vec3 ends[] = {joint ? *joint : Vec3(level + 0.019 * f * a_.up),
                         joint ? *joint : Vec3(level + 0.035 * f * a_.up)};
    for (const Vec3& inside : ends)
      if (const auto eye = outermost_along(inside, a_.front, 0.012 * f, kHead))
        add(LandmarkKind::Eye, side, *eye - 0.008 * f * a_.left, *eye + 0.008 * f * a_.left, 0.0125 * f,
            0.023 * f);
  }

  /// What stands out furthest to the side, between the mouth and the brows. That may be a lobe or a rim, so
  /// its height is only half believed.
  void add_ear(BodySide side, const Vec3& nose, double f) {
    const auto ear = best(kHead, [&](const Vec3& p) {
      return std::abs((p - nose).dot(a_.up)) < 0.06 * f ? p.dot(outwards(side)) : kNone;
    });
    if (!ear) return;
    const Vec3 centre = *ear + 0.5 * (0.016 * f - (*ear - nose).dot(a_.up)) * a_.up;
    add(LandmarkKind::Ear, side, centre - 0.012 * f * a_.up, centre + 0.014 * f * a_.up, 0.028 * f,
        0.044 * f);
  }

  void add_trunk() {
    const double s = a_.size;
    const Vec3 spine = *neck_ - *hips_;
    if (const auto navel = skin_along(*hips_ + 0.24 * spine, a_.front, 0.6 * s, kTrunk))
      add(LandmarkKind::Navel, BodySide::Middle, *navel, *navel, 0.018 * s, 0.035 * s);
    add_nipples(spine, s);
    // From the top of the cleft down to between the legs.
    std::optional<Vec3> above;
    for (double height : {0.07, 0.035, 0.0, -0.035}) {
      const auto low = skin_along(*hips_ + height * s * a_.up, -a_.front, 0.4 * s, {Pelvis, Spine, Thigh});
      if (above && low) add(LandmarkKind::GlutealCleft, BodySide::Middle, *above, *low, 0.014 * s, 0.035 * s);
      above = low;
    }
    // Between the legs, from back to front.
    std::optional<Vec3> behind;
    for (double ahead : {-0.03, 0.0, 0.03, 0.06}) {
      const auto low = skin_along(*hips_ + ahead * s * a_.front, -a_.up, 0.4 * s, {Pelvis, Spine, Thigh});
      if (behind && low) add(LandmarkKind::Perineum, BodySide::Middle, *behind, *low, 0.014 * s, 0.045 * s);
      behind = low;
    }
  }

  /// What stands out furthest near the usual place, half the width of the shoulders apart; the nearer the
  /// better, so that a flat chest has them there. Both sides are asked, and agree.
  void add_nipples(const Vec3& spine, double s) {
    const auto l = place(UpperArm, BodySide::Left), r = place(UpperArm, BodySide::Right);
    if (!l || !r) return;
    const double across = 0.25 * (*l - *r).dot(a_.left);
    double out = 0, high = 0, ahead = 0;
    for (BodySide side : kSides) {
      const Vec3 inside = *hips_ + 0.67 * spine + across * outwards(side);
      const auto nipple = best(kTrunk, [&](const Vec3& p) {
        const double t = (p - inside).dot(a_.front), beside = (p - inside - t * a_.front).norm();
        return t > 0 && beside < 0.05 * s ? t - beside * beside / (0.3 * s) : kNone;
      });
      if (!nipple) return;
      out += 0.5 * (*nipple - *hips_).dot(outwards(side));
      high += 0.5 * (*nipple - *hips_).dot(a_.up);
      ahead += 0.5 * (*nipple - *hips_).dot(a_.front);
    }
    for (BodySide side : kSides) {
      const Vec3 place = *hips_ + out * outwards(side) + high * a_.up + ahead * a_.front;
      add(LandmarkKind::Nipple, side, place, place, 0.016 * s, 0.03 * s);
    }
  }

  void add_arm(BodySide side) {
    const auto shoulder = place(UpperArm, side), elbow = place(Forearm, side), hand = place(Hand, side);
    const double s = a_.size;
    if (shoulder && elbow && neck_ && hips_) {
      // Right below the shoulder, however the arm is held: there the arm leaves the trunk.
      const Vec3 down = (*hips_ - *neck_).normalized();
      if (const auto pit = skin_along(*shoulder, down, 0.25 * s, {Chest, Clavicle, UpperArm, Spine}))
        add(LandmarkKind::Armpit, side, *pit, *pit, 0.03 * s, 0.07 * s);
    }
    if (shoulder && elbow && hand) add_crease(LandmarkKind::ElbowCrease, side, *shoulder, *elbow, *hand, 1);
    if (elbow && hand) add(LandmarkKind::Wrist, side, *hand, *hand, 0.04 * s, 0.085 * s);
  }

  void add_knee(BodySide side) {
    const auto hip = place(Thigh, side), knee = place(Shin, side), foot = place(Foot, side);
    if (hip && knee && foot) add_crease(LandmarkKind::KneeCrease, side, *hip, *knee, *foot, 1.25);
  }

  /// The skin on the side to which the joint is bent already in the rest shape; all around it where it is
  /// straight.
  void add_crease(LandmarkKind kind, BodySide side, const Vec3& upper, const Vec3& joint, const Vec3& lower,
                  double thickness) {
    const double s = a_.size * thickness;
    const Vec3 axis = (lower - upper).normalized();
    const Vec3 bend = (upper - joint) - (upper - joint).dot(axis) * axis;
    if (bend.norm() > 0.01 * (lower - upper).norm()) {
      const bool arm = kind == LandmarkKind::ElbowCrease;
      const auto fold =
          skin_along(joint, bend.normalized(), 0.2 * s, arm ? Parts{UpperArm, Forearm} : Parts{Thigh, Shin});
      if (fold) return add(kind, side, *fold, *fold, 0.025 * s, 0.06 * s);
    }
    add(kind, side, joint, joint, 0.05 * s, 0.085 * s);
  }

  /// The end of the snout, and eyes where the rig has them.
  void add_muzzle() {
    const auto head = place(Head);
    if (!head || !neck_ || (*head - *neck_).norm() < 1e-9) return;
    const Vec3 ahead = a_.left.cross(a_.up);
    const auto nose = best(kHead, [&](const Vec3& p) { return p.dot(ahead); });
    if (!nose) return;
    const double s = a_.size;
    add(LandmarkKind::Nose, BodySide::Middle, *nose, *nose, 0.045 * s, 0.09 * s);
    for (BodySide side : kSides)
      if (const auto eye = place(Eye, side)) add(LandmarkKind::Eye, side, *eye, *eye, 0.03 * s, 0.05 * s);
  }
};

}  // namespace

double Landmark::nearness(const Vec3& p) const {
  const Vec3 line = to - from;
  const double length2 = line.squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - from).dot(line) / length2, 0.0, 1.0) : 0;
  const double x = std::clamp((outer - (p - from - t * line).norm()) / (outer - inner), 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

std::optional<Anatomy> read_anatomy(const Body& body) {
  const auto skeleton = body.skeleton();
  if (!skeleton) return std::nullopt;
  const std::vector<JointRole> roles = joint_roles(*skeleton);
  if (std::none_of(roles.begin(), roles.end(), [](const JointRole& r) { return r.recognised(); }))
    return std::nullopt;
  return Explorer(body, *skeleton, roles).explore();
}

IdVector<VertexId, double> head_share(const Body& body) {
  IdVector<VertexId, double> result(body.mesh().vertex_count(), 0);
  const auto skeleton = body.skeleton();
  if (!skeleton) return result;
  const auto shares = shares_of(body, *skeleton, joint_roles(*skeleton));
  for (VertexId v : ids<VertexId>(result.size()))
    for (HumanJoint joint : kHead) result[v] += shares[v][static_cast<std::size_t>(joint)];
  return result;
}

}  // namespace cutis
