#include "cutis/body/procedural/organic/horse.h"

#include <array>
#include <cmath>
#include <string>

#include "cutis/body/procedural/organic/four_legs.h"
#include "cutis/body/procedural/organic/implicit_character.h"

namespace cutis {
namespace {

constexpr double kTrotCycle = 0.6;  // [s]

std::array<LegShape, 4> horse_legs() {
  std::array<LegShape, 4> all;
  for (int i = 0; i < 4; ++i) {
    LegShape& leg = all[at(i)];
    leg.hind = i % 2 == 0;
    leg.side = i < 2 ? 1 : -1;
    leg.phase = 0;
    leg.name = std::string(leg.side > 0 ? "left_" : "right_") + (leg.hind ? "hind" : "fore");
    const double x = leg.side * 0.17;
    if (leg.hind) {
      leg.root = {x, 1.12, -0.62};
      leg.middle = {x, 0.82, -0.40};
      leg.heel = {x, 0.52, -0.74};
      leg.paw = {x, 0.10, -0.68};
    } else {
      leg.root = {x, 1.08, 0.42};
      leg.middle = {x, 0.80, 0.30};
      leg.heel = {x, 0.44, 0.40};
      leg.paw = {x, 0.10, 0.42};
    }
  }
  return all;
}

void add_horse_leg(ImplicitBody& body, int parent, const LegShape& leg) {
  const double h = leg.hind ? 1 : 0, s = leg.side;
  const int part = body.add_part(leg.root, leg.paw, -Vec3::UnitX() * s);
  const int upper = body.add_joint(leg.name + "_upper", parent, leg.root, 0.07, part);
  body.add_capsule(upper, leg.root, leg.middle, 0.105 + 0.050 * h, 0.080 + 0.015 * h, 0.12);
  if (leg.hind)
    body.add_ellipsoid(upper, leg.root + Vec3(s * 0.010, -0.06, -0.03), {0.105, 0.23, 0.18}, 0.12);
  const int lower = body.add_joint(leg.name + "_lower", upper, leg.middle, 0.05, part);
  body.add_capsule(lower, leg.middle, leg.heel, 0.078 + 0.012 * h, 0.045, 0.02);
  const int cannon = body.add_joint(leg.name + "_cannon", lower, leg.heel, 0.032, part);
  body.add_capsule(cannon, leg.heel, leg.paw, 0.044, 0.036, 0.014);
  const int hoof = body.add_joint(leg.name + "_paw", cannon, leg.paw, 0.026, part);
  body.add_capsule(hoof, leg.paw, leg.paw + Vec3(0, -0.045, 0.03), 0.040, 0.054, 0.02);
}

int add_horse_trunk(ImplicitBody& body, int& chest) {
  const int part = body.add_part({0, 1.15, -0.9}, {0, 1.15, 0.5}, -Vec3::UnitY());
  const int pelvis = body.add_joint("pelvis", -1, {0, 1.24, -0.62}, 0.10, part);
  body.add_ellipsoid(pelvis, {0, 1.21, -0.62}, {0.24, 0.24, 0.30}, 0.09);
  const int spine = body.add_joint("spine", pelvis, {0, 1.26, -0.28}, 0.10, part);
  body.add_capsule(spine, {0, 1.17, -0.45}, {0, 1.13, 0.10}, 0.25, 0.28, 0.15);
  chest = body.add_joint("chest", spine, {0, 1.26, 0.10}, 0.10, part);
  body.add_ellipsoid(chest, {0, 1.12, 0.30}, {0.25, 0.31, 0.32}, 0.12);
  body.add_ellipsoid(chest, {0, 1.36, 0.26}, {0.11, 0.12, 0.24}, 0.12);
  const int tail_part = body.add_part({0, 1.30, -0.88}, {0, 0.72, -1.10}, -Vec3::UnitZ());
  const int tail = body.add_joint("tail_1", pelvis, {0, 1.32, -0.88}, 0.05, tail_part);
  body.add_capsule(tail, {0, 1.31, -0.87}, {0, 1.06, -1.04}, 0.052, 0.050, 0.08);
  const int end = body.add_joint("tail_2", tail, {0, 1.06, -1.04}, 0.04, tail_part);
  body.add_capsule(end, {0, 1.06, -1.04}, {0, 0.70, -1.09}, 0.050, 0.034, 0.012);
  return pelvis;
}

void add_horse_head(ImplicitBody& body, int chest) {
  const int part = body.add_part({0, 1.32, 0.5}, {0, 1.55, 1.52}, -Vec3::UnitY());
  const int neck = body.add_joint("neck", chest, {0, 1.32, 0.46}, 0.08, part);
  body.add_capsule(neck, {0, 1.25, 0.42}, {0, 1.70, 0.88}, 0.20, 0.125, 0.14);
  const int head = body.add_joint("head", neck, {0, 1.78, 0.93}, 0.06, part);
  body.add_ellipsoid(head, {0, 1.76, 0.99}, {0.098, 0.115, 0.13}, 0.06);
  // The muzzle.
  body.add_capsule(head, {0, 1.71, 1.06}, {0, 1.49, 1.40}, 0.094, 0.056, 0.05);
  body.add_ellipsoid(head, {0, 1.46, 1.435}, {0.062, 0.055, 0.062}, 0.04);
  body.add_capsule(head, {0, 1.64, 1.00}, {0, 1.43, 1.36}, 0.062, 0.034, 0.04);
  for (double s : {1.0, -1.0}) body.add_ellipsoid(head, {s * 0.078, 1.76, 1.06}, {0.026, 0.026, 0.034}, 0.02);
  for (int side : {1, -1}) {
    const Vec3 root(side * 0.055, 1.85, 0.93), tip(side * 0.085, 2.03, 0.92);
    const int ear_part = body.add_part(root, tip, -Vec3::UnitZ());
    const int ear = body.add_joint(side > 0 ? "left_ear" : "right_ear", head, root, 0.025, ear_part);
    body.add_capsule(ear, root, tip, 0.022, 0.020, 0.03, Vec3::UnitX(), 2.0);
  }
}

/// The body goes up and down with each pair of legs, the head a little later.
void trot(const std::array<LegPose, 4>& legs, double time, Poser& pose) {
  constexpr double stance = 0.42;
  const double cycles = time / kTrotCycle;
  const double beat = 2 * pi * (2 * cycles - stance), sway = 2 * pi * cycles;
  pose.move(pose.joint("pelvis"), {0, -0.06 - 0.035 * std::cos(beat), 0});
  pose.turn(pose.joint("pelvis"), Vec3::UnitX(), 2 * kDegree * std::sin(beat));
  pose.turn(pose.joint("pelvis"), Vec3::UnitY(), 2 * kDegree * std::cos(sway));
  pose.turn(pose.joint("spine"), Vec3::UnitX(), -3 * kDegree * std::sin(beat));
  pose.turn(pose.joint("chest"), Vec3::UnitY(), -3 * kDegree * std::cos(sway));
  pose.turn(pose.joint("neck"), Vec3::UnitX(), (4 + 5 * std::sin(beat + 0.8)) * kDegree);
  pose.turn(pose.joint("head"), Vec3::UnitX(), 8 * kDegree * std::sin(beat + 1.6));
  for (int side : {1, -1})
    pose.turn(pose.joint(side > 0 ? "left_ear" : "right_ear"), Vec3::UnitX(),
              10 * kDegree * std::sin(sway + side));
  pose.turn(pose.joint("tail_1"), Vec3::UnitX(), (-18 + 8 * std::sin(beat)) * kDegree);
  pose.turn(pose.joint("tail_2"), Vec3::UnitX(), 12 * kDegree * std::sin(beat - 0.8));
  for (const LegPose& leg : legs) trot_on_the_spot(leg, cycles, {stance, 0.40, 0.10}, pose);
}

}  // namespace

Character make_horse(double edge) {
  ImplicitBody body;
  body.set_web(0.05);
  int chest = 0;
  const int pelvis = add_horse_trunk(body, chest);
  add_horse_head(body, chest);
  std::array<LegPose, 4> poses;
  const std::array<LegShape, 4> shapes = horse_legs();
  for (std::size_t i = 0; i < 4; ++i) {
    poses[i] = {shapes[i], static_cast<int>(body.joints().size())};
    add_horse_leg(body, shapes[i].hind ? pelvis : chest, shapes[i]);
  }
  Character horse = make_implicit_character("horse", body, edge);
  horse.clips.push_back(
      make_clip(horse, "trot", 3 * kTrotCycle, [&](double time, Poser& pose) { trot(poses, time, pose); }));
  return horse;
}

}  // namespace cutis
