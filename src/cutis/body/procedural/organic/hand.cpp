#include "cutis/body/procedural/organic/hand.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "cutis/body/procedural/organic/finger.h"
#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/body/procedural/poser.h"

namespace cutis {
namespace {

Vec3 in_palm(double degrees) { return Vec3(std::cos(degrees * kDegree), 0, std::sin(degrees * kDegree)); }

/// From the little finger to the thumb, the order in which they flex.
std::vector<FingerShape> fingers() {
  const Vec3 up = Vec3::UnitY();
  // The thumb stands before the palm and turns its nail to the side.
  const Vec3 thumb = Vec3(0.74, -0.30, 0.60).normalized();
  const Vec3 nail = (Vec3(-0.55, 0.35, 0.75) - thumb * thumb.dot(Vec3(-0.55, 0.35, 0.75))).normalized();
  return {{"little", {0.079, -0.003, -0.0365}, in_palm(-15), up, {0.034, 0.021, 0.020}, 0.0083},
          {"ring", {0.089, 0.001, -0.0165}, in_palm(-6), up, {0.043, 0.028, 0.023}, 0.0095},
          {"middle", {0.095, 0.003, 0.0050}, in_palm(2), up, {0.047, 0.031, 0.024}, 0.0100},
          {"index", {0.091, 0.001, 0.0270}, in_palm(10), up, {0.042, 0.027, 0.023}, 0.0097},
          {"thumb", {0.024, -0.012, 0.026}, thumb, nail, {0.044, 0.033, 0.028}, 0.0118}};
}

void add_palm(ImplicitBody& body, int palm, const std::vector<FingerShape>& all) {
  for (int i = 0; i < 4; ++i) {
    const Vec3& knuckle = all[i].knuckle;
    const Vec3 wrist(0.010, 0.001, 0.55 * knuckle.z());
    body.add_capsule(palm, wrist, knuckle - Vec3(0.004, 0.003, 0), 0.0150, 0.0122, 0.014);
  }
  const auto flat = [](double degrees) { return Quat(Eigen::AngleAxisd(degrees * kDegree, Vec3::UnitY())); };
  body.add_ellipsoid(palm, Vec3(0.040, -0.012, 0.024), Vec3(0.034, 0.013, 0.016), 0.012, flat(-28));
  body.add_ellipsoid(palm, Vec3(0.038, -0.011, -0.024), Vec3(0.036, 0.012, 0.014), 0.012, flat(4));
  // The heads of the metacarpal bones.
  for (int i = 0; i < 4; ++i)
    body.add_ellipsoid(palm, all[i].knuckle + Vec3(-0.001, 0.0035, 0), Vec3(0.009, 0.008, 0.0082), 0.006);
}

/// An amount of 0 leaves the finger straight, 1 closes it.
void flex(Poser& pose, const std::vector<FingerShape>& all, int which, double amount) {
  const FingerShape& shape = all[which];
  const bool thumb = which == 4;
  const double first = thumb ? 28 : 80, second = thumb ? 38 : 98, third = thumb ? 55 : 62;
  const int joint = pose.joint(shape.name + "_1");
  const Vec3 axis = flex_axis(shape);
  // Fingers draw together as they close.
  if (!thumb) {
    const double spread = std::atan2(shape.along.z(), shape.along.x());
    pose.turn(joint, Vec3::UnitY(), 0.7 * spread * amount);
  }
  pose.turn(joint, axis, first * kDegree * amount);
  if (thumb) pose.turn(joint, Vec3::UnitX(), 26 * kDegree * amount);
  pose.turn(joint + 1, axis, second * kDegree * amount);
  pose.turn(joint + 2, axis, third * kDegree * amount);
}

}  // namespace

Character make_hand(double edge) {
  ImplicitBody body;
  body.set_web(0.010);
  const std::vector<FingerShape> all = fingers();
  const int part = body.add_part(Vec3(-0.08, 0, 0), Vec3(0.09, 0, 0), -Vec3::UnitZ());
  const int forearm = body.add_joint("forearm", -1, Vec3(-0.085, 0, 0), 0.010, part);
  body.add_capsule(forearm, Vec3(-0.085, 0, 0), Vec3(0, 0, 0), 0.0230, 0.0190, 0.01, Vec3::UnitZ(), 1.38);
  const int palm = body.add_joint("palm", forearm, Vec3::Zero(), 0.010, part);
  add_palm(body, palm, all);
  for (const FingerShape& shape : all) add_finger(body, palm, shape);

  Character hand = make_implicit_character("hand", body, edge);
  hand.clips.push_back(make_clip(hand, "flex", 4, [&](double time, Poser& pose) {
    for (int i = 0; i < 5; ++i) {
      const double start = 0.30 * i, stop = 2.1 + 0.26 * i;
      flex(pose, all, i, pulse(start, start + 0.8, stop, stop + 0.8, time));
    }
    pose.turn(pose.joint("palm"), Vec3::UnitZ(), 0.22 * pulse(0, 1.9, 2.1, 4, time));
  }));
  hand.clips.push_back(make_clip(hand, "fist", 2, [&](double time, Poser& pose) {
    for (int i = 0; i < 5; ++i) flex(pose, all, i, pulse(i == 4 ? 0.2 : 0, 0.9, 1.1, i == 4 ? 1.8 : 2, time));
  }));
  return hand;
}

}  // namespace cutis
