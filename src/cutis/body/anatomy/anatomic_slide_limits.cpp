#include "cutis/body/anatomy/anatomic_slide_limits.h"

#include <algorithm>

#include "cutis/body/anatomy/anatomy.h"

namespace cutis {
namespace {

constexpr double kMillimetre = 1e-3;

/// How far the skin of a part slides on an adult and on an animal as large [mm].
struct PartLimit {
  HumanJoint part;
  double human, animal;
};
constexpr PartLimit kParts[] = {
    {HumanJoint::Other, 15, 15},    {HumanJoint::Pelvis, 25, 40},   {HumanJoint::Spine, 30, 45},
    {HumanJoint::Chest, 30, 40},    {HumanJoint::Neck, 12, 40},     {HumanJoint::Head, 4, 6},
    {HumanJoint::Jaw, 4, 5},        {HumanJoint::Eye, 0, 0},        {HumanJoint::Nose, 0, 0},
    {HumanJoint::Lip, 2, 2},        {HumanJoint::Ear, 0, 0},        {HumanJoint::Breast, 18, 18},
    {HumanJoint::Clavicle, 22, 30}, {HumanJoint::UpperArm, 20, 25}, {HumanJoint::Forearm, 20, 10},
    {HumanJoint::Hand, 3, 4},       {HumanJoint::Thumb, 2, 2},      {HumanJoint::Finger, 2, 2},
    {HumanJoint::Thigh, 25, 30},    {HumanJoint::Shin, 15, 10},     {HumanJoint::Foot, 4, 4},
    {HumanJoint::Toe, 2, 2},        {HumanJoint::Tail, 8, 8}};
/// The front of a human chest, where skin is tied to the breast bone [mm].
constexpr double kBreastBone = 18;

/// At a landmark [mm]; 0 is stuck.
double landmark_limit(LandmarkKind kind) {
  switch (kind) {
    case LandmarkKind::Armpit:
    case LandmarkKind::ElbowCrease:
    case LandmarkKind::KneeCrease:
      return 6;
    case LandmarkKind::Wrist:
      return 8;
    default:
      return 0;
  }
}

double part_limit(const Anatomy& anatomy, VertexId v, const Vec3& p) {
  double limit = 0;
  for (const auto& [part, human, animal] : kParts) {
    double own = anatomy.four_legged ? animal : human;
    if (part == HumanJoint::Chest && !anatomy.four_legged) {
      const double ahead =
          std::clamp((p - anatomy.chest).dot(anatomy.front) / (0.1 * anatomy.size), 0.0, 1.0);
      own += ahead * (kBreastBone - own);
    }
    limit += anatomy.share(v, part) * own;
  }
  return limit;
}

}  // namespace

std::optional<IdVector<VertexId, double>> slide_map(const Body& body) {
  const auto anatomy = read_anatomy(body);
  if (!anatomy) return std::nullopt;
  const Points& points = body.mesh().positions;
  IdVector<VertexId, double> limits(points.size());
  for (VertexId v : ids<VertexId>(points.size())) {
    limits[v] = part_limit(*anatomy, v, points[v]);
    for (const Landmark& landmark : anatomy->landmarks) {
      const double near = landmark.nearness(points[v]), there = landmark_limit(landmark.kind);
      limits[v] = std::min(limits[v], near * there + (1 - near) * std::max(limits[v], there));
    }
    limits[v] *= kMillimetre * anatomy->size;
  }
  return limits;
}

}  // namespace cutis
