#pragma once

#include <array>
#include <optional>
#include <vector>

#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/body/body.h"

namespace cutis {

enum class LandmarkKind {
  Eye,
  Nose,
  Lips,
  Ear,
  Navel,
  Nipple,
  GlutealCleft,
  Perineum,
  Armpit,
  ElbowCrease,
  KneeCrease,
  Wrist
};

/// A place on the skin: everything near a short line. It reaches `inner` far in full and fades out to
/// `outer`.
struct Landmark {
  LandmarkKind kind;
  BodySide side = BodySide::Middle;
  Vec3 from, to;  ///< in the rest shape [m]
  double inner = 0, outer = 0;

  /// 1 within `inner`, 0 beyond `outer`, smooth between.
  double nearness(const Vec3& p) const;
};

inline constexpr std::size_t human_joint_count = static_cast<std::size_t>(HumanJoint::Tail) + 1;

/// Which part of a body each vertex belongs to and where its landmarks lie, from its joints (see joint_roles)
/// and its rest shape alone: nothing is painted or picked by hand.
struct Anatomy {
  /// How much of each vertex each part moves, in the order of HumanJoint; sums to one.
  IdVector<VertexId, std::array<double, human_joint_count>> shares;
  bool four_legged = false;  ///< legs stand across the trunk, not along it
  double size = 1;  ///< against an adult of 1.75 m; 1 for a hand or a head alone that may be an adult's
  Vec3 up = Vec3::UnitY(), left = Vec3::UnitX(), front = Vec3::UnitZ();  ///< of the trunk, or the head alone
  Vec3 chest = Vec3::Zero();  ///< the chest's joint [m]; zero where there is none
  std::vector<Landmark> landmarks;

  double share(VertexId v, HumanJoint joint) const { return shares[v][static_cast<std::size_t>(joint)]; }
};

/// Nothing where the body has no rig or its joints are not recognised. Landmarks that the body does not have,
/// or that its joints do not tell, are left out.
std::optional<Anatomy> read_anatomy(const Body& body);

/// How much of each vertex belongs to the head (with jaw, eyes, nose, lips and ears), from 0 to 1: where
/// pre-stretch is 1 by default. Zero where the rig is not known.
IdVector<VertexId, double> head_share(const Body& body);

}  // namespace cutis
