#include "cutis/body/procedural/organic/mannequin.h"

#include <cmath>
#include <string>

#include "cutis/body/procedural/organic/implicit_character.h"

namespace cutis {
namespace {

/// Places are written for a height of 1.75 m and scaled on the way in.
class MannequinBuilder {
 public:
  explicit MannequinBuilder(const Build& build) : b_(build) { body.set_web(0.03 * build.height); }

  ImplicitBody body;

  void add_trunk() {
    const int part = this->part({0, 0.85, 0}, {0, 1.45, 0}, {0, 0, -1});
    pelvis_ = joint("pelvis", -1, {0, 0.97, 0}, 0.045, part);
    const double h = b_.hips, w = b_.waist, c = b_.chest;
    ellipsoid(pelvis_, {0, 0.965, 0.0}, {0.150 * h, 0.115, 0.106 * w}, 0.05);
    for (int side : {1, -1})
      ellipsoid(pelvis_, {side * 0.072 * h, 0.915, -0.052}, {0.080 * h, 0.092, 0.078 * h}, 0.05);
    const int spine = joint("spine", pelvis_, {0, 1.07, -0.01}, 0.045, part);
    capsule(spine, {0, 1.04, -0.002}, {0, 1.19, 0}, 0.102 * w, 0.102 * w, 0.09, Vec3::UnitX(), 1.30);
    if (b_.belly > 0) {
      ellipsoid(spine, {0, 1.045, 0.02 + 0.45 * b_.belly}, {0.152 * w, 0.150, 0.09 + 0.75 * b_.belly}, 0.08);
      for (int side : {1, -1})
        ellipsoid(spine, {side * 0.115 * w, 1.045, -0.01}, {0.075, 0.085, 0.095}, 0.05);
    }
    chest_ = joint("chest", spine, {0, 1.22, -0.015}, 0.045, part);
    capsule(chest_, {0, 1.22, 0}, {0, 1.365, -0.012}, 0.104 * c, 0.094 * c, 0.08, Vec3::UnitX(), 1.42);
    for (int side : {1, -1}) add_chest_side(side);
  }

  void add_head() {
    const int neck_part = part({0, 1.45, -0.02}, {0, 1.74, 0.01}, {0, 0, -1});
    const int neck = joint("neck", chest_, {0, 1.455, -0.025}, 0.025, neck_part);
    capsule(neck, {0, 1.43, -0.030}, {0, 1.57, 0.000}, 0.060 * b_.neck, 0.053 * b_.neck, 0.055);
    const int head = joint("head", neck, {0, 1.565, -0.005}, 0.022, neck_part);
    ellipsoid(head, {0, 1.660, -0.008}, {0.075, 0.094, 0.097}, 0.03);
    ellipsoid(head, {0, 1.620, 0.032}, {0.060, 0.080, 0.060}, 0.035);
    ellipsoid(head, {0, 1.659, 0.070}, {0.048, 0.016, 0.020}, 0.020);
    for (int side : {1, -1}) {
      ellipsoid(head, {side * 0.043, 1.618, 0.058}, {0.024, 0.019, 0.024}, 0.025);
      ellipsoid(head, {side * 0.034, 1.588, 0.050}, {0.026, 0.034, 0.030}, 0.025);
      add_eye(head, side);
      ellipsoid(head, {side * 0.078, 1.630, -0.008}, {0.010, 0.031, 0.019}, 0.008);
      capsule(head, {side * 0.050, 1.585, 0.014}, {side * 0.020, 1.550, 0.062}, 0.017, 0.0165, 0.018);
    }
    ellipsoid(head, {0, 1.632, 0.094}, {0.0105, 0.028, 0.013}, 0.012,
              Quat(Eigen::AngleAxisd(-0.5, Vec3::UnitX())));
    ellipsoid(head, {0, 1.617, 0.103}, {0.0140, 0.0095, 0.012}, 0.010);
    ellipsoid(head, {0, 1.5875, 0.0845}, {0.0250, 0.0065, 0.0115}, 0.006);
    ellipsoid(head, {0, 1.5745, 0.0825}, {0.0220, 0.0070, 0.0115}, 0.005);
    ellipsoid(head, {0, 1.5450, 0.0710}, {0.0225, 0.0165, 0.0170}, 0.018);
  }

  void add_arm(int side) {
    const std::string name = side > 0 ? "left_" : "right_";
    const double s = side, l = b_.limbs;
    const Vec3 along = mannequin_arm(side);
    const Vec3 shoulder(s * 0.178 * b_.shoulders, 1.405, -0.015);
    const auto at = [&](double t, double out = 0, double front = 0) -> Vec3 {
      return shoulder + t * along + out * Vec3(-s * along.y(), s * along.x(), 0) + Vec3(0, 0, front);
    };
    const int clavicle_part = 0;
    const int clavicle = joint(name + "clavicle", chest_, {s * 0.035, 1.415, 0.01}, 0.045, clavicle_part);
    capsule(clavicle, {s * 0.040, 1.432, -0.025}, shoulder + Vec3(-s * 0.02, -0.004, 0), 0.058, 0.044, 0.07);
    const int arm_part = part(shoulder, at(0.56), {0, 0, -1});
    const int upper = joint(name + "upper_arm", clavicle, shoulder, 0.036, arm_part);
    capsule(upper, at(0.005), at(0.29), 0.052 * l, 0.040 * l, 0.045);
    ellipsoid(upper, at(0.035, 0.004), {0.056 * l, 0.075, 0.058 * l}, 0.04, turned(side));
    ellipsoid(upper, at(0.15, 0, 0.014), {0.040 * l, 0.085, 0.036 * l}, 0.03, turned(side));
    ellipsoid(upper, at(0.15, 0.004, -0.016), {0.040 * l, 0.095, 0.034 * l}, 0.03, turned(side));
    // A little bent, so that the elbow knows which way to go.
    const int fore = joint(name + "forearm", upper, at(0.29, 0, -0.012), 0.024, arm_part);
    capsule(fore, at(0.29), at(0.545), 0.039 * l, 0.026 * std::sqrt(l), 0.012);
    ellipsoid(fore, at(0.355, 0, 0.004), {0.042 * l, 0.075, 0.045 * l}, 0.03, turned(side));
    const int hand_part = part(at(0.55), at(0.73), {0, 0, -1});
    const int hand = joint(name + "hand", fore, at(0.55), 0.018, hand_part);
    capsule(hand, at(0.575), at(0.635, -0.003), 0.0185, 0.0190, 0.025, Vec3::UnitZ(), 1.85);
    capsule(hand, at(0.635, -0.004), at(0.700, -0.016), 0.0165, 0.0130, 0.016, Vec3::UnitZ(), 2.15);
    capsule(hand, at(0.580, -0.006, 0.022), at(0.615, -0.020, 0.052), 0.0150, 0.0135, 0.016);
    capsule(hand, at(0.615, -0.020, 0.052), at(0.650, -0.026, 0.058), 0.0135, 0.0125, 0.004);
  }

  void add_leg(int side) {
    const std::string name = side > 0 ? "left_" : "right_";
    const double s = side, l = b_.limbs, x = 0.092 * b_.hips;
    const Vec3 hip(s * x, 0.92, 0), ankle(s * (x + 0.040), 0.085, -0.028);
    // Bent forwards a little, so that the knee knows which way to go.
    const Vec3 knee = hip + 0.525 * (ankle - hip) + Vec3(0, 0, 0.022);
    const auto thigh_at = [&](double t, const Vec3& off) -> Vec3 { return hip + t * (knee - hip) + off; };
    const auto shin_at = [&](double t, const Vec3& off) -> Vec3 { return knee + t * (ankle - knee) + off; };
    const int leg_part = part(hip, ankle, {0, 0, -1});
    const int thigh = joint(name + "thigh", pelvis_, hip, 0.045, leg_part);
    capsule(thigh, thigh_at(0.06, {0, 0, 0}), knee, 0.084 * l, 0.051 * l, 0.06);
    ellipsoid(thigh, thigh_at(0.48, {s * 0.006, 0, 0.020}), {0.066 * l, 0.165, 0.062 * l}, 0.05);
    ellipsoid(thigh, thigh_at(0.40, {0, 0, -0.020}), {0.066 * l, 0.170, 0.060 * l}, 0.05);
    const int shin = joint(name + "shin", thigh, knee, 0.034, leg_part);
    capsule(shin, knee, ankle, 0.050 * l, 0.034 * std::sqrt(l), 0.012);
    ellipsoid(shin, shin_at(0.0, {0, 0.005, 0.014}), {0.042 * l, 0.050, 0.040 * l}, 0.025);
    ellipsoid(shin, shin_at(0.30, {s * 0.004, 0, -0.022}), {0.052 * l, 0.115, 0.045 * l}, 0.03);
    add_foot(name, shin, ankle, s);
  }

 private:
  Vec3 scaled(const Vec3& p) const { return b_.height * p; }
  int part(const Vec3& from, const Vec3& to, const Vec3& seam) {
    return body.add_part(scaled(from), scaled(to), seam);
  }
  int joint(const std::string& name, int parent, const Vec3& place, double softness, int part) {
    return body.add_joint(name, parent, scaled(place), b_.height * softness, part);
  }
  void capsule(int joint, const Vec3& a, const Vec3& b, double ra, double rb, double blend,
               const Vec3& wide = Vec3::UnitX(), double factor = 1) {
    const double k = b_.height;
    body.add_capsule(joint, k * a, k * b, k * ra, k * rb, k * blend, wide, factor);
  }
  void ellipsoid(int joint, const Vec3& centre, const Vec3& radii, double blend,
                 const Quat& turn = Quat::Identity()) {
    body.add_ellipsoid(joint, scaled(centre), scaled(radii), b_.height * blend, turn);
  }
  /// The y axis of an ellipsoid along the arm.
  static Quat turned(int side) { return Quat::FromTwoVectors(-Vec3::UnitY(), mannequin_arm(side)); }
  /// A socket with a ball under closed lids.
  void add_eye(int head, int side) {
    body.carve_ellipsoid(head, scaled({side * 0.031, 1.638, 0.100}), scaled({0.020, 0.013, 0.020}),
                         b_.height * 0.012);
    ellipsoid(head, {side * 0.0315, 1.637, 0.0685}, {0.0175, 0.0150, 0.0165}, 0.003);
  }

  void add_chest_side(double s) {
    const double c = b_.chest;
    // Breast muscle, broad back, shoulder blade.
    ellipsoid(chest_, {s * 0.072 * c, 1.320, 0.072 * c}, {0.080 * c, 0.062, 0.026}, 0.05);
    ellipsoid(chest_, {s * 0.112 * c, 1.280, -0.028}, {0.050 * c, 0.110, 0.058 * c}, 0.05);
    ellipsoid(chest_, {s * 0.080 * c, 1.350, -0.080 * c}, {0.060, 0.068, 0.030}, 0.04);
    if (b_.breast > 0) {
      const double r = b_.breast;
      ellipsoid(chest_, {s * 0.074 * c, 1.270, 0.070 * c + 0.4 * r}, {r, 1.02 * r, 0.95 * r}, 0.035);
    }
  }

  void add_foot(const std::string& name, int shin, const Vec3& ankle, double s) {
    const double x = ankle.x();
    const int foot_part = part({x, 0.03, -0.07}, {x, 0.03, 0.19}, {0, -1, 0});
    const int foot = joint(name + "foot", shin, ankle, 0.022, foot_part);
    ellipsoid(foot, {x, 0.040, -0.055}, {0.033, 0.040, 0.038}, 0.03);
    capsule(foot, {x, 0.066, -0.012}, {x + s * 0.010, 0.033, 0.105}, 0.036, 0.030, 0.03, Vec3::UnitX(), 1.12);
    const int toes = joint(name + "toes", foot, {x + s * 0.010, 0.026, 0.112}, 0.016, foot_part);
    capsule(toes, {x + s * 0.010, 0.027, 0.110}, {x + s * 0.008, 0.021, 0.165}, 0.027, 0.020, 0.02,
            Vec3::UnitX(), 1.65);
  }

  Build b_;
  int pelvis_ = 0, chest_ = 0;
};

Character make_mannequin(const std::string& name, const Build& build, double edge) {
  MannequinBuilder builder(build);
  builder.add_trunk();
  builder.add_head();
  for (int side : {1, -1}) builder.add_arm(side);
  for (int side : {1, -1}) builder.add_leg(side);
  Character character = make_implicit_character(name, builder.body, edge);
  add_mannequin_clips(character);
  return character;
}

}  // namespace

Build male_build() { return {}; }

Build female_build() {
  Build build;
  build.height = 1.65 / 1.75;
  build.shoulders = 0.90;
  build.chest = 0.88;
  build.waist = 0.84;
  build.hips = 1.06;
  build.limbs = 0.90;
  build.neck = 0.84;
  build.breast = 0.058;
  return build;
}

Build heavy_build() {
  Build build;
  build.shoulders = 1.08;
  build.chest = 1.22;
  build.waist = 1.50;
  build.hips = 1.22;
  build.limbs = 1.24;
  build.neck = 1.25;
  build.breast = 0.060;
  build.belly = 0.14;
  return build;
}

Character make_male(double edge) { return make_mannequin("male", male_build(), edge); }
Character make_female(double edge) { return make_mannequin("female", female_build(), edge); }
Character make_heavy(double edge) { return make_mannequin("heavy", heavy_build(), edge); }

Character make_torso(double edge) {
  MannequinBuilder builder(male_build());
  builder.add_trunk();
  builder.add_head();
  for (int side : {1, -1}) builder.add_arm(side);
  Character torso = make_implicit_character("torso", builder.body, edge);
  add_torso_clips(torso);
  return torso;
}

}  // namespace cutis
