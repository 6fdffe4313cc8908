#include "cutis/body/procedural/organic/arm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/tube.h"

namespace cutis {
namespace {

constexpr double kElbow = 0.30;  // [m] along x
constexpr double kWrist = 0.55;
constexpr double kTip = 0.645;  // where the wall of the tube ends and the fist rounds off
constexpr double kTipDepth = 0.026;
constexpr double kShoulderDepth = 0.052;
constexpr double kBendDegrees = 120;

/// Half-widths of the arm at a place along it [m], measured on pictures of a slim adult arm.
struct Station {
  double x;       ///< along the arm
  double top;     ///< from the axis up (biceps side)
  double bottom;  ///< from the axis down (triceps, elbow)
  double side;    ///< to the front and to the back
};

constexpr std::array<Station, 14> kStations = {{
    {0.000, 0.058, 0.052, 0.055},
    {0.040, 0.058, 0.054, 0.055},
    {0.090, 0.050, 0.051, 0.050},
    {0.150, 0.049, 0.049, 0.046},
    {0.210, 0.046, 0.044, 0.042},
    {0.260, 0.039, 0.039, 0.040},
    {0.300, 0.036, 0.040, 0.041},
    {0.350, 0.041, 0.037, 0.043},
    {0.400, 0.039, 0.035, 0.039},
    {0.480, 0.030, 0.029, 0.028},
    {0.540, 0.025, 0.025, 0.019},
    {0.575, 0.034, 0.031, 0.024},
    {0.610, 0.041, 0.037, 0.029},
    {0.645, 0.037, 0.036, 0.028},
}};

double catmull_rom(double a, double b, double c, double d, double t) {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

Station station_at(double x) {
  const int n = kStations.size();
  int i = 0;
  while (i < n - 2 && kStations[i + 1].x <= x) ++i;
  const Station &a = kStations[std::max(i - 1, 0)], &b = kStations[i], &c = kStations[i + 1],
                &d = kStations[std::min(i + 2, n - 1)];
  const double t = std::clamp((x - b.x) / (c.x - b.x), 0.0, 1.0);
  return {x, catmull_rom(a.top, b.top, c.top, d.top, t),
          catmull_rom(a.bottom, b.bottom, c.bottom, d.bottom, t),
          catmull_rom(a.side, b.side, c.side, d.side, t)};
}

double bump(double x, double centre, double width) {
  const double t = (x - centre) / width;
  return std::exp(-t * t);
}

/// From the axis to the skin. Top and bottom blend through a smooth weight, so that the outline has no
/// corner.
Vec3 across(double x, double angle) {
  const Station s = station_at(x);
  const double up = 0.5 + 0.5 * std::sin(angle);
  const double height = up * up * (3 - 2 * up) * (s.top - s.bottom) + s.bottom;
  // The tip of the elbow below, the thumb across the top of the fist.
  const double olecranon = 0.007 * bump(x, kElbow - 0.004, 0.022) * bump(angle, -pi / 2, 0.5);
  const double thumb = 0.009 * bump(x, 0.612, 0.020) * bump(angle, 1.1, 0.35);
  const double y = (height + olecranon + thumb) * std::sin(angle);
  return Vec3(0, y, (s.side + thumb) * std::cos(angle));
}

/// The fist hangs a little below the forearm's axis.
double axis_height(double x) {
  const double t = std::max(0.0, x - kWrist) / (kTip - kWrist);
  return -0.006 * t * t;
}

TubeShape arm_shape(double edge) {
  TubeShape shape;
  shape.wall = [](double along, double angle) -> Vec3 {
    const double x = along * kTip;
    return Vec3(x, axis_height(x), 0) + across(x, angle);
  };
  shape.cap = [](int end, double reach, double angle) -> Vec3 {
    const double x = end * kTip, depth = end == 1 ? kTipDepth : -kShoulderDepth;
    const double quarter = pi / 2 * reach;
    return Vec3(x + depth * std::cos(quarter), axis_height(x), 0) + std::sin(quarter) * across(x, angle);
  };
  shape.length = kTip;
  shape.girth = 0.28;
  shape.cap_width = 0.10;
  shape.rings = std::max(6, static_cast<int>(std::lround(shape.length / edge)));
  shape.cap_quads = std::max(2, static_cast<int>(std::lround(shape.girth / edge / 4)));
  return shape;
}

Influences joint_weights(const SourceMesh& mesh) {
  Influences result;
  result.offsets.push_back(0);
  for (const Vec3& p : mesh.positions) {
    const double beyond_elbow = smooth_step(kElbow - 0.055, kElbow + 0.055, p.x());
    const double beyond_wrist = smooth_step(kWrist - 0.035, kWrist + 0.035, p.x());
    const std::array<double, 3> weights = {1 - beyond_elbow, beyond_elbow * (1 - beyond_wrist),
                                           beyond_elbow * beyond_wrist};
    for (int joint = 0; joint < 3; ++joint) {
      if (weights[joint] == 0) continue;
      result.joints.push_back(joint);
      result.weights.push_back(weights[joint]);
    }
    result.offsets.push_back(static_cast<std::int32_t>(result.joints.size()));
  }
  return result;
}

/// The belly of the muscle rises and draws together towards the elbow.
MorphTarget biceps(const SourceMesh& mesh) {
  MorphTarget target{"biceps", {}};
  for (const Vec3& p : mesh.positions) {
    const double angle = std::atan2(p.y(), p.z());
    const double strength = bump(p.x(), 0.165, 0.055) * smooth_step(-0.4, 1.0, std::sin(angle));
    target.offsets.push_back(strength * Vec3(-0.006, 0.020, 0.004 * std::cos(angle)));
  }
  return target;
}

Clip bend_clip(int forearm, int hand, int mesh_node) {
  // Cubic splines with tangents of zero: the arm eases in and out of each key.
  const auto ease = [](int node, TrackPath path, std::size_t width,
                       const std::vector<std::vector<double>>& keys) {
    Track track{node, path, Interpolation::CubicSpline, {0, 1, 2}, {}};
    const std::vector<double> still(width, 0.0);
    for (const auto& key : keys)
      for (const auto* part : {&still, &key, &still})
        track.values.insert(track.values.end(), part->begin(), part->end());
    return track;
  };
  const double half = kBendDegrees / 2 * pi / 180, curl = -0.12;
  const std::vector<double> straight{0, 0, 0, 1}, bent{0, 0, std::sin(half), std::cos(half)},
      curled{0, 0, std::sin(curl), std::cos(curl)};
  return {"bend",
          {ease(forearm, TrackPath::Rotation, 4, {straight, bent, straight}),
           ease(hand, TrackPath::Rotation, 4, {straight, curled, straight}),
           ease(mesh_node, TrackPath::MorphWeights, 1, {{0.0}, {1.0}, {0.0}})}};
}

}  // namespace

Character make_arm(double edge) {
  Character arm;
  arm.name = "arm";
  const auto joint = [&](const char* name, int parent, double x) {
    Node node;
    node.name = name;
    node.parent = parent;
    node.local.translation = Vec3(x, 0, 0);
    arm.nodes.push_back(node);
    return static_cast<int>(arm.nodes.size()) - 1;
  };
  const int upper = joint("upper_arm", -1, 0), forearm = joint("forearm", upper, kElbow),
            hand = joint("hand", forearm, kWrist - kElbow), mesh_node = joint("arm", -1, 0);

  Skin skin;
  skin.joints = {upper, forearm, hand};
  for (double x : {0.0, kElbow, kWrist}) {
    Mat4 inverse = Mat4::Identity();
    inverse(0, 3) = -x;
    skin.inverse_bind.push_back(inverse);
  }
  arm.skins.push_back(skin);

  MeshInstance instance;
  instance.name = "arm";
  instance.node = mesh_node;
  instance.skin = 0;
  instance.mesh = make_tube(arm_shape(edge));
  instance.influences = joint_weights(instance.mesh);
  instance.morphs.push_back(biceps(instance.mesh));
  instance.morph_weights = {0};
  arm.meshes.push_back(std::move(instance));
  arm.clips.push_back(bend_clip(forearm, hand, mesh_node));
  return arm;
}

}  // namespace cutis
