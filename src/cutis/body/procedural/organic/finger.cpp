#include "cutis/body/procedural/organic/finger.h"

#include <cmath>
#include <numbers>

#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/body/procedural/poser.h"

namespace cutis {

void add_finger(ImplicitBody& body, int parent, const FingerShape& shape) {
  const double r = shape.radius;
  const Vec3 side = shape.up.cross(shape.along);
  const Quat turn((Mat3() << shape.along, shape.up, shape.along.cross(shape.up))
                      .finished());  // x along, y up, z sideways
  const auto place = [&](double along, double up) -> Vec3 {
    return shape.knuckle + along * shape.along + up * shape.up;
  };
  const double first = shape.lengths[0], second = first + shape.lengths[1],
               tip = second + shape.lengths[2] - 0.75 * r;
  const int part = body.add_part(shape.knuckle, place(tip, 0), -shape.up);
  const int one = body.add_joint(shape.name + "_1", parent, place(0, 0), 0.65 * r, part);
  body.add_capsule(one, place(0, 0), place(first, 0.02 * r), 1.04 * r, 0.88 * r, shape.fillet * r);
  body.add_ellipsoid(one, place(0.45 * first, -0.22 * r), Vec3(0.42 * first, 0.84 * r, 0.86 * r), 0.3 * r,
                     turn);
  // Bones in line share the ball at their joint: they need no fillet, it would only swell.
  const int two = body.add_joint(shape.name + "_2", one, place(first, 0), 0.6 * r, part);
  body.add_capsule(two, place(first, 0.02 * r), place(second, 0), 0.88 * r, 0.78 * r, 0.1 * r, side, 1.03);
  body.add_ellipsoid(two, place(first, 0.06 * r), Vec3(0.9 * r, 0.80 * r, 0.89 * r), 0.3 * r, turn);
  body.add_ellipsoid(two, place(0.5 * (first + second), -0.22 * r), Vec3(0.8 * r, 0.70 * r, 0.75 * r),
                     0.3 * r, turn);
  const int three = body.add_joint(shape.name + "_3", two, place(second, 0), 0.55 * r, part);
  body.add_capsule(three, place(second, 0), place(tip, -0.10 * r), 0.78 * r, 0.60 * r, 0.1 * r, side, 1.1);
  body.add_ellipsoid(three, place(second, 0.04 * r), Vec3(0.8 * r, 0.71 * r, 0.81 * r), 0.25 * r, turn);
  body.add_ellipsoid(three, place(tip - 0.35 * r, -0.20 * r), Vec3(0.95 * r, 0.62 * r, 0.72 * r), 0.4 * r,
                     turn);
  // The nail: a bed pressed into the tip, and a plate in it.
  const Quat tilt = turn * Quat(Eigen::AngleAxisd(-0.14, Vec3::UnitZ()));
  body.carve_ellipsoid(three, place(tip - 0.10 * r, 0.80 * r), Vec3(0.85 * r, 0.42 * r, 0.64 * r), 0.05 * r,
                       tilt);
  body.add_ellipsoid(three, place(tip - 0.05 * r, 0.275 * r), Vec3(0.66 * r, 0.26 * r, 0.44 * r), 0.01 * r,
                     tilt);
}

/// Three creases across the back of the middle joint, as a stretched finger has.
void crease_knuckle(const FingerShape& shape, SourceMesh& mesh) {
  constexpr double kApart = 4e-3, kWidth = 0.9e-3, kDepth = 0.4e-3;  // [m]
  for (Vec3& p : mesh.positions) {
    const Vec3 from_joint = p - shape.knuckle - shape.lengths[0] * shape.along;
    const double back = smooth_step(0, 0.6 * shape.radius, from_joint.dot(shape.up));
    for (int i = -1; i <= 1; ++i) {
      const double away = (from_joint.dot(shape.along) - i * kApart) / kWidth;
      p -= kDepth * back * std::exp(-away * away / 2) * shape.up;
    }
  }
}

Character make_finger(double edge) {
  ImplicitBody body;
  const FingerShape shape{"finger", Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), {0.043, 0.026, 0.022},
                          0.0098,   0.25};
  const int part = body.add_part(Vec3(-0.03, 0, 0), Vec3::Zero(), -Vec3::UnitY());
  const int base = body.add_joint("base", -1, Vec3(-0.026, 0, 0), 0.006, part);
  body.add_capsule(base, Vec3(-0.026, -0.001, 0), Vec3(-0.004, 0, 0), 0.0112, 0.0104, 0.004, Vec3::UnitZ(),
                   1.08);
  body.add_ellipsoid(base, Vec3(0.0005, 0.0030, 0), Vec3(0.010, 0.0080, 0.0090), 0.005);
  add_finger(body, base, shape);
  Character finger = make_implicit_character("finger", body, edge);
  crease_knuckle(shape, finger.meshes.front().mesh);
  finger.clips.push_back(make_clip(finger, "flex", 2, [&](double time, Poser& pose) {
    const Vec3 axis = flex_axis(shape);
    const double degree = std::numbers::pi / 180;
    // The tip leads a little, the knuckle follows.
    pose.turn(1, axis, 70 * degree * pulse(0.20, 1.00, 1.10, 1.90, time));
    pose.turn(2, axis, 95 * degree * pulse(0.10, 0.95, 1.05, 2.00, time));
    pose.turn(3, axis, 60 * degree * pulse(0.00, 0.85, 1.05, 1.95, time));
  }));
  return finger;
}

}  // namespace cutis
