#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "cutis/body/procedural/organic/mannequin.h"
#include "cutis/body/procedural/poser.h"

namespace cutis {
namespace {

constexpr double kArmSlope = 50 * kDegree;  // below the horizontal

/// From a to b with the slopes ma and mb, for t from 0 to 1.
double hermite(double a, double b, double ma, double mb, double t) {
  const double t2 = t * t, t3 = t2 * t;
  return a * (2 * t3 - 3 * t2 + 1) + ma * (t3 - 2 * t2 + t) + b * (3 * t2 - 2 * t3) + mb * (t3 - t2);
}

/// Where a foot is put: how far from its place in the bind pose, and how it is turned. Positive pitch lifts
/// the heel, negative the toes.
struct Step {
  Vec3 offset = Vec3::Zero();
  double pitch = 0;
  double yaw = 0;
};

/// The words in which the clips are written.
class Puppet {
 public:
  explicit Puppet(const Character& character) : rest_(character) {
    for (int side : {1, -1}) {
      const std::string name = side > 0 ? "left_" : "right_";
      Limbs& limbs = limbs_[side > 0];
      limbs.clavicle = rest_.joint(name + "clavicle");
      limbs.upper_arm = rest_.joint(name + "upper_arm");
      limbs.forearm = rest_.joint(name + "forearm");
      limbs.hand = rest_.joint(name + "hand");
      limbs.thigh = rest_.joint(name + "thigh");
      limbs.shin = rest_.joint(name + "shin");
      limbs.foot = rest_.joint(name + "foot");
      limbs.toes = rest_.joint(name + "toes");
    }
    pelvis = rest_.joint("pelvis");
    spine = rest_.joint("spine");
    chest = rest_.joint("chest");
    neck = rest_.joint("neck");
    head = rest_.joint("head");
    size = rest_.position(pelvis).y() / 0.97;
  }

  int pelvis, spine, chest, neck, head;
  double size;  ///< of this body, in parts of a body of 1.75 m

  /// Lowers an arm to the side by `down`, swings it forwards by `swing` and bends the elbow.
  void arm(Poser& pose, int side, double down, double swing, double elbow) const {
    const Limbs& limbs = limbs_[side > 0];
    pose.turn(limbs.upper_arm, Vec3::UnitZ(), -side * down);
    pose.turn(limbs.upper_arm, Vec3::UnitX(), -swing);
    bend_elbow(pose, side, elbow);
  }
  /// The forearm goes forwards.
  void bend_elbow(Poser& pose, int side, double angle) const {
    pose.turn(limbs_[side > 0].forearm, mannequin_arm(side).cross(Vec3::UnitZ()), angle);
  }
  void lift_shoulder(Poser& pose, int side, double angle) const {
    pose.turn(limbs_[side > 0].clavicle, Vec3::UnitZ(), side * angle);
  }

  /// Lifts the thigh forwards and bends the knee, of a leg that stands on nothing.
  void hang_leg(Poser& pose, int side, double lift, double knee) const {
    pose.turn(limbs_[side > 0].thigh, Vec3::UnitX(), -lift);
    pose.turn(limbs_[side > 0].shin, Vec3::UnitX(), knee);
  }

  /// Puts the foot where the step says, rolling over its ball or its heel, and lets the leg follow. Comes
  /// after everything that moves the pelvis.
  void foot(Poser& pose, int side, const Step& step) const {
    const Limbs& limbs = limbs_[side > 0];
    const Vec3 ankle = rest_.position(limbs.foot);
    Vec3 pivot = rest_.position(limbs.toes);
    if (step.pitch < 0) pivot = Vec3(ankle.x(), 0.01 * size, ankle.z() - 0.05 * size);
    const Quat turn =
        Quat(Eigen::AngleAxisd(step.yaw, Vec3::UnitY())) * Quat(Eigen::AngleAxisd(step.pitch, Vec3::UnitX()));
    const Vec3 target = step.offset + pivot + turn * (ankle - pivot);
    const Vec3 bend = Eigen::AngleAxisd(step.yaw, Vec3::UnitY()) * Vec3::UnitZ();
    pose.reach(limbs.thigh, limbs.shin, limbs.foot, target, bend, Vec3::UnitZ());
    pose.orient(limbs.foot, turn);
    // Toes stay flat while the heel is lifted.
    pose.turn(limbs.toes, Vec3::UnitX(), -std::clamp(step.pitch, 0.0, 45 * kDegree));
  }

 private:
  struct Limbs {
    int clavicle, upper_arm, forearm, hand, thigh, shin, foot, toes;
  };
  Poser rest_;
  std::array<Limbs, 2> limbs_;
};

/// One foot of a walk on the spot; u is the part of the cycle since its heel struck. The ground runs
/// backwards under it for 0.6 of the cycle.
Step walking_step(double u, double stride) {
  constexpr double stance = 0.60;
  Step step;
  const double speed = -stride / stance;
  if (u < stance) {
    step.offset.z() = stride / 2 + speed * u;
  } else {
    const double v = (u - stance) / (1 - stance), slope = speed * (1 - stance);
    step.offset.z() = hermite(-stride / 2, stride / 2, slope, slope, v);
    step.offset.y() = 0.055 * std::pow(std::sin(pi * v), 2);
  }
  step.pitch = kDegree * (38 * pulse(0.36, 0.62, 0.62, 0.86, u) - 20 * ease(0.80, 1.0, u) -
                          20 * (1 - ease(0, 0.12, u)));
  return step;
}

void walk(const Puppet& puppet, double time, Poser& pose) {
  constexpr double period = 1.1;
  const double phase = 2 * pi * time / period, stride = 0.62 * puppet.size;
  const double swing = std::cos(phase);
  pose.move(puppet.pelvis,
            puppet.size * Vec3(0.018 * std::sin(phase), -0.030 - 0.018 * std::cos(2 * phase), 0));
  pose.turn(puppet.pelvis, Vec3::UnitY(), -7 * kDegree * swing);
  pose.turn(puppet.pelvis, Vec3::UnitZ(), 3 * kDegree * std::sin(phase));
  pose.turn(puppet.spine, Vec3::UnitX(), 3 * kDegree);
  pose.turn(puppet.spine, Vec3::UnitZ(), -3 * kDegree * std::sin(phase));
  pose.turn(puppet.chest, Vec3::UnitY(), 14 * kDegree * swing);
  pose.turn(puppet.head, Vec3::UnitY(), -7 * kDegree * swing);
  for (int side : {1, -1}) {
    const double s = side * swing;  // +1 when this heel strikes
    puppet.arm(pose, side, 33 * kDegree, (-22 * s + 1) * kDegree, (18 - 9 * s) * kDegree);
    Step step = walking_step(std::fmod(time / period + (side > 0 ? 0.0 : 0.5), 1.0), stride);
    step.offset.y() *= puppet.size;
    step.offset.x() -= side * 0.030 * puppet.size;
    puppet.foot(pose, side, step);
  }
}

void squat(const Puppet& puppet, double time, Poser& pose) {
  const double down = pulse(0, 1.3, 1.6, 3, time);
  pose.move(puppet.pelvis, puppet.size * down * Vec3(0, -0.40, -0.17));
  pose.turn(puppet.pelvis, Vec3::UnitX(), 28 * kDegree * down);
  pose.turn(puppet.spine, Vec3::UnitX(), 12 * kDegree * down);
  pose.turn(puppet.neck, Vec3::UnitX(), -14 * kDegree * down);
  pose.turn(puppet.head, Vec3::UnitX(), -12 * kDegree * down);
  for (int side : {1, -1}) {
    puppet.arm(pose, side, 32 * kDegree * down, 112 * kDegree * down, 8 * kDegree * down);
    Step step;
    step.yaw = side * 16 * kDegree * down;
    puppet.foot(pose, side, step);
  }
}

/// Height of the pelvis over its place in the bind pose [m]: crouch, push off, fly freely, land, rise.
double jump_height(double t) {
  constexpr double crouch = -0.30, sink = -0.26, gravity = 9.81, flight = 0.52;
  constexpr double speed = gravity * flight / 2;
  constexpr double push = 0.70, lift = 0.95, land = lift + flight, deep = land + 0.22;
  if (t < push) return crouch * ease(0, push - 0.05, t);
  if (t < lift) return hermite(crouch, 0, 0, speed * (lift - push), (t - push) / (lift - push));
  if (t < land) return (t - lift) * (speed - gravity / 2 * (t - lift));
  if (t < deep) return hermite(0, sink, -speed * (deep - land), 0, (t - land) / (deep - land));
  return sink * (1 - ease(deep, 2.6, t));
}

void jump(const Puppet& puppet, double time, Poser& pose) {
  const double height = jump_height(time);
  const double crouch = std::max(0.0, -height) / 0.30;
  const double air = pulse(0.86, 0.97, 1.40, 1.52, time);
  pose.move(puppet.pelvis, Vec3(0, height, -0.10 * crouch * puppet.size));
  pose.turn(puppet.pelvis, Vec3::UnitX(), 24 * kDegree * crouch);
  pose.turn(puppet.spine, Vec3::UnitX(), (14 * crouch - 8 * air) * kDegree);
  pose.turn(puppet.head, Vec3::UnitX(), (-24 * crouch - 8 * air) * kDegree);
  const double back = pulse(0, 0.60, 0.62, 0.92, time), up = pulse(0.66, 1.08, 1.35, 2.4, time);
  for (int side : {1, -1}) {
    puppet.arm(pose, side, 30 * kDegree * (back + up), (-22 * back + 88 * up) * kDegree,
               (20 * back + 15 * up) * kDegree);
    Step step;
    const double flown = time > 0.95 && time < 1.47 ? height : 0;
    step.pitch = 42 * kDegree * pulse(0.80, 0.96, 1.34, 1.50, time);
    // The knees are drawn up a little on the way.
    step.offset = Vec3(0, flown + 0.10 * puppet.size * pulse(0.97, 1.18, 1.22, 1.46, time), 0);
    puppet.foot(pose, side, step);
  }
}

/// Height over the bridge [m]: falls freely, and is stopped by 20 g.
double fall_height(double t) {
  constexpr double gravity = 9.81, brake = 20 * gravity, drop = 0.4, flight = 0.85;
  constexpr double speed = gravity * flight, stop = speed / brake;
  const double flown = std::clamp(t - drop, 0.0, flight), braked = std::clamp(t - drop - flight, 0.0, stop);
  return -gravity / 2 * flown * flown - braked * (speed - brake / 2 * braked);
}

void fall(const Puppet& puppet, double time, Poser& pose) {
  const double open = ease(0.1, 0.9, time);
  pose.move(puppet.pelvis, Vec3(0, fall_height(time), 0));
  pose.turn(puppet.spine, Vec3::UnitX(), -8 * kDegree * open);
  for (int side : {1, -1}) {
    puppet.arm(pose, side, -45 * kDegree * open, 0, 15 * kDegree * open);
    puppet.hang_leg(pose, side, 12 * kDegree * open, 20 * kDegree * open);
  }
}

/// Two bars of four beats: hips to the side, arms up in turn, a touch of the free foot.
void dance(const Puppet& puppet, double time, Poser& pose) {
  constexpr double period = 4;
  const double bar = 2 * pi * time / period, beat = 4 * bar;  // a sway takes two beats
  const double sway = std::sin(2 * bar), bounce = 0.5 - 0.5 * std::cos(beat), round = std::sin(bar);
  pose.move(puppet.pelvis,
            puppet.size * Vec3(0.085 * sway, -0.045 - 0.035 * bounce, 0.02 * std::cos(2 * bar)));
  pose.turn(puppet.pelvis, Vec3::UnitZ(), 9 * kDegree * sway);
  pose.turn(puppet.pelvis, Vec3::UnitY(), 14 * kDegree * round);
  pose.turn(puppet.spine, Vec3::UnitZ(), -13 * kDegree * sway);
  pose.turn(puppet.chest, Vec3::UnitZ(), -6 * kDegree * sway);
  pose.turn(puppet.chest, Vec3::UnitY(), 16 * kDegree * std::cos(2 * bar) - 10 * kDegree * round);
  pose.turn(puppet.head, Vec3::UnitZ(), 9 * kDegree * sway);
  pose.turn(puppet.head, Vec3::UnitX(), 8 * kDegree * bounce);
  for (int side : {1, -1}) {
    const double raised = 0.5 + 0.5 * side * std::sin(bar + pi / 4);  // one arm in each bar
    const double lift = raised * raised * (3 - 2 * raised);
    puppet.lift_shoulder(pose, side, 20 * kDegree * lift);
    puppet.arm(pose, side, (18 - 92 * lift) * kDegree, (24 + 14 * side * sway) * kDegree * (1 - lift),
               (55 + 20 * std::sin(beat) * (1 - lift)) * kDegree);
    // The foot that bears no weight lifts its heel and taps to the side.
    const double free = std::pow(std::max(0.0, -side * sway), 2);
    Step step;
    step.pitch = 34 * kDegree * free;
    step.offset = puppet.size * Vec3(side * 0.06 * free, 0.02 * free, 0.05 * free);
    step.yaw = side * 14 * kDegree;
    puppet.foot(pose, side, step);
  }
}

}  // namespace

Vec3 mannequin_arm(int side) { return Vec3(side * std::cos(kArmSlope), -std::sin(kArmSlope), 0); }

void add_mannequin_clips(Character& character) {
  const Puppet puppet(character);
  const auto add = [&](const char* name, double duration, auto motion) {
    character.clips.push_back(
        make_clip(character, name, duration, [&](double time, Poser& pose) { motion(puppet, time, pose); }));
  };
  add("walk", 2.2, walk);
  add("squat", 3, squat);
  add("jump", 2.6, jump);
  add("dance", 4, dance);
  add("fall", 3, fall);
}

void add_torso_clips(Character& character) {
  const auto turn = [](Poser& pose, const char* joint, const Vec3& axis, double degrees) {
    pose.turn(pose.joint(joint), axis, degrees * kDegree);
  };
  character.clips.push_back(make_clip(character, "shrug", 2, [&](double time, Poser& pose) {
    const double up = pulse(0, 0.7, 1.1, 2, time);
    const Vec3 z = Vec3::UnitZ();
    turn(pose, "left_clavicle", z, 26 * up);
    turn(pose, "right_clavicle", z, -26 * up);
    turn(pose, "left_upper_arm", z, -40 * up);
    turn(pose, "right_upper_arm", z, 40 * up);
    turn(pose, "left_forearm", mannequin_arm(1).cross(z), 50 * up);
    turn(pose, "right_forearm", mannequin_arm(-1).cross(z), 50 * up);
    turn(pose, "head", z, 9 * up);
  }));
  character.clips.push_back(make_clip(character, "lift", 3, [&](double time, Poser& pose) {
    const double up = pulse(0, 1.3, 1.7, 3, time);
    turn(pose, "left_clavicle", Vec3::UnitZ(), 32 * up);
    turn(pose, "left_upper_arm", Vec3::UnitZ(), 88 * up);
    turn(pose, "spine", Vec3::UnitZ(), -6 * up);
    turn(pose, "head", Vec3::UnitX(), -14 * up);
    turn(pose, "head", Vec3::UnitY(), 22 * up);
  }));
}

}  // namespace cutis
