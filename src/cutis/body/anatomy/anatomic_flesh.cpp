#include "cutis/body/anatomy/anatomic_flesh.h"

#include <algorithm>
#include <array>
#include <limits>

#include "cutis/body/anatomy/body_parts.h"

namespace cutis {
namespace {

using enum HumanJoint;

constexpr double kFleshMillimetre = 1e-3;

/// The soft tissue of a part. Skin, fat and the muscles that swing on their bone (wobbling mass, Gruber et
/// al. 1998; Pain and Challis 2006) count together.
struct PartFlesh {
  HumanJoint part;
  double human, animal;                      ///< at most so thick on an adult, and on an animal as large [mm]
  double share;                              ///< at most this share of the inner radius
  double human_stiffness, animal_stiffness;  ///< factor on the Young's modulus of loose flesh
};
constexpr double kDeep = 1000;  ///< the share of the inner radius alone counts [mm]
/// Thickness. Scalp 5 to 7 mm (Hori et al. 1972), face 4 mm on the forehead to 20 mm in the cheek (De Greef
/// et al. 2006), back of the hand and fingers 2 to 4 mm, sole 10 to 18 mm (Prichasuk 1994), above the shin
/// bone 3 to 6 mm, the calf behind it 40 mm; fat alone on the trunk 20 to 80 mm (Störchle et al. 2018),
/// breast and buttocks to the bone behind. Stiffness. Fat has 2 to 4 kPa (Alkhouli et al. 2013), muscle at
/// rest 10 to 20 kPa, in use 60; tight skin over bone and what is bound by short fibres (scalp, palm, sole)
/// ten to thirty times as much as loose flesh, ears have cartilage of megapascals. Animals carry muscle where
/// people carry fat.
constexpr PartFlesh kPartFlesh[] = {{Other, kDeep, kDeep, 0.4, 1, 1.5},
                                    {Pelvis, kDeep, kDeep, 0.5, 0.8, 1.5},
                                    {Spine, kDeep, kDeep, 0.5, 0.7, 1},
                                    {Chest, 90, kDeep, 0.4, 1, 1.2},
                                    {Neck, 40, 80, 0.3, 1.5, 1.5},
                                    {Head, 5, 5, 0.1, 10, 10},
                                    {Jaw, 7, 5, 0.1, 8, 8},
                                    {Eye, 1, 1, 0.1, 30, 30},
                                    {Nose, 2, 2, 0.1, 20, 20},
                                    {Lip, 5, 4, 0.1, 8, 8},
                                    {Ear, 1, 1, 0.1, 30, 30},
                                    {Breast, kDeep, 60, 0.7, 0.5, 0.5},
                                    {Clavicle, 30, kDeep, 0.3, 1.2, 1.5},
                                    {UpperArm, kDeep, kDeep, 0.5, 1, 2},
                                    {Forearm, 15, 12, 0.3, 2, 3},
                                    {Hand, 3, 3, 0.1, 15, 15},
                                    {Thumb, 2, 2, 0.1, 20, 20},
                                    {Finger, 2, 2, 0.1, 20, 20},
                                    {Thigh, kDeep, kDeep, 0.6, 0.7, 2},
                                    {Shin, 40, 15, 0.35, 1.5, 2.5},
                                    {Foot, 4, 3, 0.1, 15, 15},
                                    {Toe, 2, 2, 0.1, 20, 20},
                                    {Tail, 10, 10, 0.25, 3, 3}};
/// Muscle tone, fascia and skin carry what is thicker than this [m]: there the stiffness grows with the
/// thickness, so that the shear under its own weight does not.
constexpr double kSelfSupporting = 0.06;

/// Joints that lie below the skin: what is there at most, and how far around the joint, in inner radii of the
/// limb, or in shares of the bone above where that is short.
constexpr HumanJoint kBareJoints[] = {Forearm, Hand, Shin, Foot};
constexpr PartFlesh kBareJoint = {Other, 8, 6, 0.2, 4, 4};
constexpr double kJointReach = 1.2, kJointFade = 2.6, kBoneShare = 0.2;

/// 1 where x is at most `inner`, 0 from `outer` on, smooth between.
double fade(double x, double inner, double outer) {
  const double t = std::clamp((outer - x) / (outer - inner), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// The part that a limb's joint hangs on.
HumanJoint above(HumanJoint part) {
  switch (part) {
    case Forearm:
      return UpperArm;
    case Hand:
      return Forearm;
    case Shin:
      return Thigh;
    default:
      return Shin;
  }
}

class FleshMap {
 public:
  FleshMap(const Body& body, const Anatomy& anatomy, const IdVector<VertexId, double>& radius)
      : points_(body.mesh().positions), anatomy_(anatomy), radius_(radius) {
    const Skeleton skeleton = *body.skeleton();
    const std::vector<JointRole> roles = joint_roles(skeleton);
    const auto place = [&](HumanJoint part, BodySide side) {
      const auto j = find_joint(skeleton.joints, roles, part, side);
      return j ? std::optional<Vec3>(skeleton.joints[*j].position) : std::nullopt;
    };
    for (HumanJoint part : kBareJoints)
      for (BodySide side : {BodySide::Middle, BodySide::Left, BodySide::Right})
        if (const auto joint = place(part, side)) {
          const auto start = place(above(part), side);
          joints_.push_back({part, *joint, start ? kBoneShare * (*joint - *start).norm() : kNoBound});
        }
  }

  AnatomicFlesh map() const {
    AnatomicFlesh out{IdVector<VertexId, double>(points_.size(), 0),
                      IdVector<VertexId, double>(points_.size(), 1)};
    for (VertexId v : ids<VertexId>(points_.size())) {
      const Tissue tissue = at_joints(v, of_parts(v));
      out.depth[v] =
          std::min(kFleshMillimetre * anatomy_.size / tissue.per_millimetre, radius_[v] / tissue.per_share);
      out.stiffness[v] = tissue.stiffness * std::max(1.0, out.depth[v] / kSelfSupporting);
    }
    return out;
  }

 private:
  /// Where parts meet lengths are harmonic means: the thin one of two wins, and bone does not end at once.
  struct Tissue {
    double per_millimetre = 0, per_share = 0;  ///< reciprocals
    double stiffness = 0;
  };
  struct BareJoint {
    HumanJoint part;
    Vec3 position;
    double reach;  ///< at most [m]
  };
  const Points& points_;
  const Anatomy& anatomy_;
  const IdVector<VertexId, double>& radius_;
  static constexpr double kNoBound = std::numeric_limits<double>::infinity();
  std::vector<BareJoint> joints_;

  Tissue tissue_of(const PartFlesh& part) const {
    const bool animal = anatomy_.four_legged;
    return {1 / (animal ? part.animal : part.human), 1 / part.share,
            animal ? part.animal_stiffness : part.human_stiffness};
  }

  static void add(Tissue& sum, double weight, const Tissue& tissue) {
    sum.per_millimetre += weight * tissue.per_millimetre;
    sum.per_share += weight * tissue.per_share;
    sum.stiffness += weight * tissue.stiffness;
  }

  Tissue of_parts(VertexId v) const {
    Tissue out;
    for (const PartFlesh& part : kPartFlesh) add(out, anatomy_.share(v, part.part), tissue_of(part));
    return out;
  }

  /// Only of the limb that bends there.
  double nearness(VertexId v, const BareJoint& joint) const {
    if (anatomy_.share(v, joint.part) + anatomy_.share(v, above(joint.part)) < 0.5) return 0;
    return fade((points_[v] - joint.position).norm() /
                    std::max(std::min(joint.reach, radius_[v]), 1e-9 * anatomy_.size),
                kJointReach, kJointFade);
  }

  Tissue at_joints(VertexId v, const Tissue& tissue) const {
    double near = 0;
    for (const BareJoint& joint : joints_) near = std::max(near, nearness(v, joint));
    const Tissue bare = tissue_of(kBareJoint);
    Tissue out;
    add(out, 1 - near, tissue);
    add(out, near,
        {std::max(bare.per_millimetre, tissue.per_millimetre), std::max(bare.per_share, tissue.per_share),
         std::max(bare.stiffness, tissue.stiffness)});
    return out;
  }
};

}  // namespace

std::optional<AnatomicFlesh> anatomic_flesh(const Body& body, const IdVector<VertexId, double>& radius) {
  const auto anatomy = read_parts(body);
  if (!anatomy) return std::nullopt;
  return FleshMap(body, *anatomy, radius).map();
}

}  // namespace cutis
