#include "cutis/body/procedural/organic/head.h"

#include <array>
#include <numbers>

#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/body/procedural/poser.h"

namespace cutis {
namespace {

struct HeadJoints {
  int neck, larynx, upper_neck, head, jaw;
};

int add_neck(ImplicitBody& body, HeadJoints& joints) {
  const int chest_part = body.add_part({0, -0.08, -0.02}, {0, 0.03, -0.02}, -Vec3::UnitZ());
  const int neck_part = body.add_part({0, 0.02, -0.025}, {0, 0.30, 0.0}, -Vec3::UnitZ());
  const int chest = body.add_joint("chest", -1, {0, -0.05, -0.02}, 0.025, chest_part);
  body.add_ellipsoid(chest, {0, -0.055, -0.015}, {0.138, 0.078, 0.080}, 0.03);
  for (double s : {1.0, -1.0}) {
    body.add_capsule(chest, {s * 0.02, 0.030, -0.045}, {s * 0.105, -0.035, -0.030}, 0.042, 0.038, 0.05);
    // Collar bones.
    body.add_capsule(chest, {s * 0.016, -0.010, 0.047}, {s * 0.105, 0.000, 0.004}, 0.0115, 0.011, 0.012);
  }
  joints.neck = body.add_joint("neck", chest, {0, 0.015, -0.030}, 0.022, neck_part);
  body.add_capsule(joints.neck, {0, 0.0, -0.030}, {0, 0.075, -0.014}, 0.058, 0.055, 0.05);
  // From behind the ears to the collar bones.
  for (double s : {1.0, -1.0})
    body.add_capsule(joints.neck, {s * 0.014, -0.004, 0.030}, {s * 0.046, 0.135, -0.006}, 0.011, 0.014,
                     0.022);
  joints.larynx = body.add_joint("larynx", joints.neck, {0, 0.052, 0.036}, 0.0075, neck_part);
  body.add_ellipsoid(joints.larynx, {0, 0.052, 0.0385}, {0.0115, 0.017, 0.0135}, 0.010);
  joints.upper_neck = body.add_joint("upper_neck", joints.neck, {0, 0.075, -0.016}, 0.020, neck_part);
  body.add_capsule(joints.upper_neck, {0, 0.075, -0.014}, {0, 0.145, -0.004}, 0.055, 0.052, 0.02);
  return neck_part;
}

void add_face(ImplicitBody& body, int head) {
  body.add_ellipsoid(head, {0, 0.230, -0.008}, {0.075, 0.094, 0.097}, 0.03);
  body.add_ellipsoid(head, {0, 0.190, 0.032}, {0.060, 0.080, 0.060}, 0.035);
  body.add_capsule(head, {-0.030, 0.229, 0.070}, {0.030, 0.229, 0.070}, 0.018, 0.018, 0.020);
  for (double s : {1.0, -1.0}) {
    body.add_ellipsoid(head, {s * 0.043, 0.188, 0.058}, {0.024, 0.019, 0.024}, 0.025);
    body.add_ellipsoid(head, {s * 0.034, 0.158, 0.050}, {0.026, 0.034, 0.030}, 0.025);
    body.carve_ellipsoid(head, {s * 0.031, 0.208, 0.100}, {0.020, 0.013, 0.020}, 0.012);
    // The ball under its closed lids, and the fold below them.
    body.add_ellipsoid(head, {s * 0.0315, 0.2070, 0.0685}, {0.0175, 0.0150, 0.0165}, 0.003);
    body.add_ellipsoid(
        head, {s * 0.080, 0.198, -0.010}, {0.0085, 0.031, 0.019}, 0.008,
        Quat(Eigen::AngleAxisd(s * 0.45, Vec3::UnitY())) * Quat(Eigen::AngleAxisd(-0.2, Vec3::UnitX())));
    body.carve_ellipsoid(head, {s * 0.0905, 0.202, -0.002}, {0.0065, 0.018, 0.011}, 0.005);
  }
  body.add_capsule(head, {0, 0.216, 0.086}, {0, 0.186, 0.107}, 0.0080, 0.0095, 0.012);
  for (double s : {1.0, -1.0})
    body.add_ellipsoid(head, {s * 0.0105, 0.1815, 0.0970}, {0.0062, 0.0062, 0.0095}, 0.006);
  body.add_ellipsoid(head, {0, 0.1595, 0.0850}, {0.0255, 0.0072, 0.0130}, 0.007);
  // The mouth stands open by the width of a finger's edge, so that the lips are two.
  body.carve_ellipsoid(head, {0, 0.1480, 0.090}, {0.0225, 0.0072, 0.032}, 0.004);
}

void add_jaw(ImplicitBody& body, int jaw) {
  for (double s : {1.0, -1.0})
    body.add_capsule(jaw, {s * 0.050, 0.155, 0.014}, {s * 0.020, 0.116, 0.064}, 0.017, 0.0155, 0.018);
  body.add_ellipsoid(jaw, {0, 0.1130, 0.0720}, {0.0225, 0.0165, 0.0170}, 0.016);
  body.add_ellipsoid(jaw, {0, 0.1360, 0.0810}, {0.0230, 0.0072, 0.0125}, 0.006);
}

/// Each gesture runs from 0 to 2 s.
void lift(const HeadJoints& j, double time, Poser& pose) {
  const double up = pulse(0, 0.85, 1.15, 2, time);
  pose.turn(j.neck, Vec3::UnitX(), -16 * kDegree * up);
  pose.turn(j.upper_neck, Vec3::UnitX(), -12 * kDegree * up);
  pose.turn(j.head, Vec3::UnitX(), -16 * kDegree * up);
}

void turn(const HeadJoints& j, double time, Poser& pose) {
  const double left = pulse(0, 0.6, 0.7, 1.3, time) - pulse(0.7, 1.3, 1.4, 2.0, time);
  pose.turn(j.neck, Vec3::UnitY(), 20 * kDegree * left);
  pose.turn(j.upper_neck, Vec3::UnitY(), 22 * kDegree * left);
  pose.turn(j.head, Vec3::UnitY(), 22 * kDegree * left);
}

void open_jaw(const HeadJoints& j, double time, Poser& pose) {
  const double open = pulse(0, 0.7, 1.2, 2, time);
  pose.turn(j.jaw, Vec3::UnitX(), 21 * kDegree * open);
  pose.move(j.jaw, open * Vec3(0, -0.002, 0.006));
}

void swallow(const HeadJoints& j, double time, Poser& pose) {
  const double rise = pulse(0.25, 0.70, 0.95, 1.65, time), close = pulse(0, 0.25, 1.6, 2, time);
  pose.move(j.larynx, rise * Vec3(0, 0.026, 0.003));
  pose.turn(j.jaw, Vec3::UnitX(), -6 * kDegree * close);
}

}  // namespace

Character make_head(double edge) {
  ImplicitBody body;
  body.set_web(0.006);
  HeadJoints joints;
  const int part = add_neck(body, joints);
  joints.head = body.add_joint("head", joints.upper_neck, {0, 0.140, -0.008}, 0.018, part);
  add_face(body, joints.head);
  joints.jaw = body.add_joint("jaw", joints.head, {0, 0.182, 0.006}, 0.010, part);
  add_jaw(body, joints.jaw);

  Character character = make_implicit_character("head", body, edge);
  constexpr std::array<void (*)(const HeadJoints&, double, Poser&), 4> gestures = {lift, turn, open_jaw,
                                                                                   swallow};
  constexpr std::array<const char*, 4> names = {"lift", "turn", "jaw", "swallow"};
  character.clips.push_back(make_clip(character, "show", 8, [&](double time, Poser& pose) {
    for (int i = 0; i < 4; ++i)
      if (time >= 2 * i && time <= 2 * i + 2) gestures[i](joints, time - 2 * i, pose);
  }));
  for (int i = 0; i < 4; ++i)
    character.clips.push_back(make_clip(character, names[i], 2,
                                        [&](double time, Poser& pose) { gestures[i](joints, time, pose); }));
  return character;
}

}  // namespace cutis
