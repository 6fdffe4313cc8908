#include "cutis/body/procedural/organic/beast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "cutis/body/procedural/organic/four_legs.h"
#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/body/procedural/poser.h"

namespace cutis {
namespace {

constexpr double kStop = 2.2;     // when the feet stay [s]
constexpr double kStride = 0.50;  // way of the body in a cycle [m]
constexpr double kCycle = 0.80;   // [s]
constexpr double kStance = 0.64;  // part of the cycle that a foot stands

std::array<LegShape, 4> legs() {
  // Left hind, left fore, right hind, right fore: the order in which a walking beast puts its feet down.
  std::array<LegShape, 4> all;
  for (int i = 0; i < 4; ++i) {
    LegShape& leg = all[i];
    leg.hind = i % 2 == 0;
    leg.side = i < 2 ? 1 : -1;
    leg.phase = -0.25 * i;
    leg.name = std::string(leg.side > 0 ? "left_" : "right_") + (leg.hind ? "hind" : "fore");
    const double x = leg.side * 0.125;
    if (leg.hind) {
      leg.root = {x, 0.60, -0.42};
      leg.middle = {x, 0.42, -0.29};
      leg.heel = {x, 0.20, -0.48};
      leg.paw = {x, 0.055, -0.44};
    } else {
      leg.root = {x, 0.55, 0.29};
      leg.middle = {x, 0.36, 0.17};
      leg.heel = {x, 0.16, 0.245};
      leg.paw = {x, 0.055, 0.26};
    }
  }
  return all;
}

void add_leg(ImplicitBody& body, int parent, const LegShape& leg) {
  const double h = leg.hind ? 1 : 0, s = leg.side;
  const int part = body.add_part(leg.root, leg.paw, -Vec3::UnitX() * s);
  const int upper = body.add_joint(leg.name + "_upper", parent, leg.root, 0.045, part);
  body.add_capsule(upper, leg.root, leg.middle, 0.066 + 0.040 * h, 0.056 + 0.016 * h, 0.08);
  if (leg.hind)
    body.add_ellipsoid(upper, leg.root + Vec3(s * 0.010, -0.06, -0.015), {0.070, 0.155, 0.125}, 0.09);
  else
    body.add_ellipsoid(upper, leg.root + Vec3(s * 0.006, 0.01, -0.030), {0.050, 0.150, 0.090}, 0.06);
  const int lower = body.add_joint(leg.name + "_lower", upper, leg.middle, 0.032, part);
  body.add_capsule(lower, leg.middle, leg.heel, 0.060 + 0.010 * h, 0.041, 0.012);
  const int cannon = body.add_joint(leg.name + "_cannon", lower, leg.heel, 0.022, part);
  body.add_capsule(cannon, leg.heel, leg.paw, 0.040, 0.038, 0.010);
  const int paw = body.add_joint(leg.name + "_paw", cannon, leg.paw, 0.018, part);
  const Vec3 sole = leg.paw - Vec3(0, 0.018, -0.022);
  body.add_ellipsoid(paw, sole, {0.052, 0.037, 0.068}, 0.025);
  for (double toe : {-1.0, 0.0, 1.0})
    body.add_ellipsoid(paw, sole + Vec3(0.028 * toe, -0.008, 0.052 - 0.010 * std::abs(toe)),
                       {0.020, 0.026, 0.030}, 0.008);
}

int add_trunk(ImplicitBody& body, int& chest) {
  const int part = body.add_part({0, 0.62, -0.6}, {0, 0.62, 0.35}, -Vec3::UnitY());
  const int pelvis = body.add_joint("pelvis", -1, {0, 0.66, -0.42}, 0.07, part);
  body.add_ellipsoid(pelvis, {0, 0.645, -0.42}, {0.140, 0.150, 0.190}, 0.06);
  const int spine = body.add_joint("spine", pelvis, {0, 0.68, -0.18}, 0.07, part);
  body.add_capsule(spine, {0, 0.625, -0.32}, {0, 0.605, 0.08}, 0.155, 0.180, 0.10);
  body.add_ellipsoid(spine, {0, 0.545, -0.06}, {0.130, 0.125, 0.25}, 0.08);
  chest = body.add_joint("chest", spine, {0, 0.68, 0.08}, 0.07, part);
  body.add_ellipsoid(chest, {0, 0.595, 0.20}, {0.170, 0.210, 0.215}, 0.08);
  body.add_ellipsoid(chest, {0, 0.755, 0.17}, {0.080, 0.080, 0.160}, 0.08);
  const int tail_part = body.add_part({0, 0.70, -0.58}, {0, 0.42, -0.80}, -Vec3::UnitZ());
  const int tail = body.add_joint("tail_1", pelvis, {0, 0.71, -0.57}, 0.030, tail_part);
  body.add_capsule(tail, {0, 0.71, -0.56}, {0, 0.585, -0.715}, 0.046, 0.034, 0.06);
  const int end = body.add_joint("tail_2", tail, {0, 0.585, -0.715}, 0.025, tail_part);
  body.add_capsule(end, {0, 0.585, -0.715}, {0, 0.420, -0.765}, 0.034, 0.024, 0.008);
  return pelvis;
}

void add_head(ImplicitBody& body, int chest) {
  const int part = body.add_part({0, 0.72, 0.36}, {0, 0.84, 0.88}, -Vec3::UnitY());
  const int neck = body.add_joint("neck", chest, {0, 0.72, 0.34}, 0.05, part);
  body.add_capsule(neck, {0, 0.69, 0.31}, {0, 0.85, 0.56}, 0.135, 0.098, 0.09);
  body.add_ellipsoid(neck, {0, 0.655, 0.435}, {0.050, 0.105, 0.100}, 0.06);  // dewlap
  const int head = body.add_joint("head", neck, {0, 0.87, 0.58}, 0.035, part);
  body.add_ellipsoid(head, {0, 0.895, 0.625}, {0.092, 0.090, 0.115}, 0.04);
  body.add_capsule(head, {0, 0.870, 0.69}, {0, 0.845, 0.845}, 0.066, 0.052, 0.04, Vec3::UnitX(), 1.08);
  body.add_ellipsoid(head, {0, 0.866, 0.884}, {0.031, 0.022, 0.022}, 0.016);
  for (double s : {1.0, -1.0}) {
    body.add_ellipsoid(head, {s * 0.042, 0.825, 0.800}, {0.026, 0.045, 0.066}, 0.03);  // flews
    body.add_ellipsoid(head, {s * 0.042, 0.940, 0.685}, {0.028, 0.022, 0.034}, 0.03);
    body.carve_ellipsoid(head, {s * 0.074, 0.914, 0.722}, {0.020, 0.016, 0.022}, 0.02);
    body.add_ellipsoid(head, {s * 0.0545, 0.914, 0.704}, {0.0165, 0.0155, 0.0165}, 0.006);
  }
  body.add_capsule(head, {0, 0.815, 0.66}, {0, 0.793, 0.815}, 0.046, 0.034, 0.03);
  for (int side : {1, -1}) {
    const Vec3 root(side * 0.072, 0.950, 0.585), tip(side * 0.128, 0.868, 0.590);
    const int ear_part = body.add_part(root, tip, -Vec3::UnitZ());
    const int ear = body.add_joint(side > 0 ? "left_ear" : "right_ear", head, root, 0.018, ear_part);
    body.add_capsule(ear, root, tip, 0.021, 0.017, 0.025, Vec3::UnitZ(), 2.0);
  }
}

/// The foot walks over the ground: a function of the way the body has gone, so that it stays when the body
/// stops.
Vec3 foot_offset(double phase, double cycles, double lifted) {
  const double turn = cycles + phase, n = std::floor(turn), u = turn - n;
  const double planted = (n + kStance / 2 - phase) * kStride;
  if (u < kStance) return {0, 0, planted};
  const double v = (u - kStance) / (1 - kStance);
  return {0, lifted * 0.085 * std::pow(std::sin(pi * v), 2), planted + kStride * ease(0, 1, v)};
}

/// Heel up at the end of the stance and in the swing.
double heel_pitch(double phase, double cycles) {
  const double turn = cycles + phase, u = turn - std::floor(turn);
  return pulse(0.34, 0.70, 0.74, 0.98, u);
}

void walk_and_stop(const std::array<LegPose, 4>& legs, double time, Poser& pose) {
  constexpr double speed = kStride / kCycle;
  const double walked = std::min(time, kStop), cycles = walked / kCycle, phase = 2 * pi * cycles;
  const double since = std::max(0.0, time - kStop);
  // The feet stay; the body goes on with the speed it had, as a damped spring on its legs.
  const auto ring = [&](double frequency, double damping) {
    return speed / frequency * std::exp(-damping * since) * std::sin(frequency * since);
  };
  const double lurch = ring(9, 3.2), nod = ring(11, 2.6), walking = 1 - ease(0, 0.35, since);
  const int pelvis = pose.joint("pelvis");
  pose.move(pelvis, {0.012 * walking * std::sin(phase),
                     -0.022 + 0.008 * walking * std::cos(2 * phase) - 0.25 * std::abs(lurch),
                     speed * walked + lurch});
  pose.turn(pelvis, Vec3::UnitX(), 0.9 * lurch);
  pose.turn(pelvis, Vec3::UnitY(), 4 * kDegree * walking * std::cos(phase));
  pose.turn(pelvis, Vec3::UnitZ(), 3 * kDegree * walking * std::sin(phase));
  pose.turn(pose.joint("spine"), Vec3::UnitY(), -4 * kDegree * walking * std::cos(phase + 0.6));
  pose.turn(pose.joint("chest"), Vec3::UnitY(), -3 * kDegree * walking * std::cos(phase + 0.6));
  pose.turn(pose.joint("chest"), Vec3::UnitZ(), -4 * kDegree * walking * std::sin(phase + 0.6));
  pose.turn(pose.joint("neck"), Vec3::UnitX(), (3 * walking * std::sin(2 * phase) + 4) * kDegree + 1.7 * nod);
  pose.turn(pose.joint("head"), Vec3::UnitX(), -2 * kDegree * walking * std::sin(2 * phase) + 2.2 * nod);
  pose.turn(pose.joint("tail_1"), Vec3::UnitY(), 14 * kDegree * walking * std::sin(phase));
  pose.turn(pose.joint("tail_1"), Vec3::UnitX(), -2.5 * ring(7, 2.2));
  pose.turn(pose.joint("tail_2"), Vec3::UnitY(), 20 * kDegree * walking * std::sin(phase - 0.8));
  for (int side : {1, -1})
    pose.turn(pose.joint(side > 0 ? "left_ear" : "right_ear"), Vec3::UnitX(),
              -3.2 * nod + 4 * kDegree * walking * std::sin(2 * phase - 1));
  // A foot in the air comes down at once when the beast stops.
  const double lifted = 1 - ease(0, 0.14, since);
  for (const LegPose& leg : legs)
    place_foot(leg, foot_offset(leg.shape.phase, cycles, lifted),
               lifted * heel_pitch(leg.shape.phase, cycles), pose);
}

/// A trot on the spot: a hind leg and the fore leg across from it together.
void run(const std::array<LegPose, 4>& legs, double time, Poser& pose) {
  constexpr double cycle = 0.44, stance = 0.38, stride = 0.30;
  const double cycles = time / cycle;
  // Lowest in the middle of each stance, of which there are two in a cycle.
  const double beat = 2 * pi * (2 * cycles - stance), sway = 2 * pi * cycles;
  pose.move(pose.joint("pelvis"), {0, -0.045 - 0.028 * std::cos(beat), 0});
  pose.turn(pose.joint("pelvis"), Vec3::UnitX(), 3 * kDegree * std::sin(beat));
  pose.turn(pose.joint("pelvis"), Vec3::UnitY(), 3 * kDegree * std::cos(sway));
  pose.turn(pose.joint("spine"), Vec3::UnitX(), -4 * kDegree * std::sin(beat));
  pose.turn(pose.joint("chest"), Vec3::UnitY(), -5 * kDegree * std::cos(sway));
  pose.turn(pose.joint("neck"), Vec3::UnitX(), (6 + 4 * std::sin(beat + 0.8)) * kDegree);
  pose.turn(pose.joint("tail_1"), Vec3::UnitX(), (-25 + 8 * std::sin(beat)) * kDegree);
  pose.turn(pose.joint("tail_2"), Vec3::UnitX(), 12 * kDegree * std::sin(beat - 0.8));
  for (const LegPose& leg : legs) trot_on_the_spot(leg, cycles, {stance, stride, 0.08}, pose);
}

}  // namespace

Character make_beast(double edge) {
  ImplicitBody body;
  body.set_web(0.03);
  int chest = 0;
  const int pelvis = add_trunk(body, chest);
  add_head(body, chest);
  std::array<LegPose, 4> poses;
  const std::array<LegShape, 4> shapes = legs();
  for (int i = 0; i < 4; ++i) {
    poses[i] = {shapes[i], static_cast<int>(body.joints().size())};
    add_leg(body, shapes[i].hind ? pelvis : chest, shapes[i]);
  }
  Character beast = make_implicit_character("beast", body, edge);
  beast.clips.push_back(make_clip(beast, "walk_and_stop", 4,
                                  [&](double time, Poser& pose) { walk_and_stop(poses, time, pose); }));
  beast.clips.push_back(
      make_clip(beast, "run", 1.76, [&](double time, Poser& pose) { run(poses, time, pose); }));
  return beast;
}

}  // namespace cutis
