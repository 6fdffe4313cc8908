#include "cutis/body/procedural/poser.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cutis {
namespace {

constexpr double kKeysPerSecond = 60;

/// The frame with its first axis along `first` and its second towards `second`.
Mat3 frame_of(const Vec3& first, const Vec3& second) {
  const Vec3 x = first.normalized();
  const Vec3 y = (second - x * x.dot(second)).normalized();
  Mat3 frame;
  frame << x, y, x.cross(y);
  return frame;
}

}  // namespace

Poser::Poser(const Character& character) : nodes_(character.nodes) {
  morphs_.resize(character.meshes.at(0).morphs.size());
  reset();
}

void Poser::reset() {
  rotations_.assign(nodes_.size(), Quat::Identity());
  offsets_.assign(nodes_.size(), Vec3::Zero());
  std::fill(morphs_.begin(), morphs_.end(), 0.0);
}

int Poser::joint(const std::string& name) const {
  const auto found =
      std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.name == name; });
  assert(found != nodes_.end());
  return static_cast<int>(found - nodes_.begin());
}

void Poser::turn(int joint, const Vec3& axis, double angle) {
  rotations_[joint] = Quat(Eigen::AngleAxisd(angle, axis)) * rotations_[joint];
}

Vec3 Poser::position(int joint) const {
  const Vec3 local = nodes_[joint].local.translation + offsets_[joint];
  const int parent = nodes_[joint].parent;
  return parent < 0 ? local : Vec3(position(parent) + orientation(parent) * local);
}

Quat Poser::orientation(int joint) const {
  const int parent = nodes_[joint].parent;
  return parent < 0 ? rotations_[joint] : orientation(parent) * rotations_[joint];
}

void Poser::orient(int joint, const Quat& world) {
  const int parent = nodes_[joint].parent;
  rotations_[joint] = parent < 0 ? world : (orientation(parent).conjugate() * world).normalized();
}

void Poser::reach(int upper, int lower, int end, const Vec3& target, const Vec3& bend,
                  const Vec3& rest_bend) {
  const Vec3 from = position(upper);
  const Vec3 thigh = nodes_[lower].local.translation, shin = nodes_[end].local.translation;
  const double a = thigh.norm(), b = shin.norm();
  const Vec3 way = (target - from).normalized();
  const double d = std::clamp((target - from).norm(), 1.02 * std::abs(a - b) + 1e-6, 0.9998 * (a + b));
  // The law of cosines: how far along the way the knee lies, and how far beside it.
  const double along = (a * a - b * b + d * d) / (2 * d);
  const double beside = std::sqrt(std::max(0.0, a * a - along * along));
  const Vec3 knee = from + along * way + beside * (bend - way * way.dot(bend)).normalized();
  const Mat3 turn_upper = frame_of(knee - from, bend) * frame_of(thigh, rest_bend).transpose();
  const Mat3 turn_lower = frame_of(from + d * way - knee, bend) * frame_of(shin, rest_bend).transpose();
  orient(upper, Quat(turn_upper));
  orient(lower, Quat(turn_lower));
}

double ease(double begin, double end, double time) {
  const double t = std::clamp((time - begin) / (end - begin), 0.0, 1.0);
  return t * t * t * (t * (6 * t - 15) + 10);
}

Clip make_clip(const Character& character, const std::string& name, double duration,
               const std::function<void(double time, Poser&)>& pose) {
  const int last = static_cast<int>(std::lround(duration * kKeysPerSecond));
  Poser poser(character);
  std::vector<Track> turns, moves;
  const int count = static_cast<int>(character.nodes.size());
  for (int n = 0; n < count; ++n) {
    turns.push_back({n, TrackPath::Rotation, Interpolation::Linear, {}, {}});
    moves.push_back({n, TrackPath::Translation, Interpolation::Linear, {}, {}});
  }
  Track morphs{character.meshes.at(0).node, TrackPath::MorphWeights, Interpolation::Linear, {}, {}};
  std::vector<bool> turned(count), moved(count);
  std::vector<double> times;
  for (int key = 0; key <= last; ++key) {
    times.push_back(duration * key / last);
    poser.reset();
    pose(times.back(), poser);
    for (int n = 0; n < count; ++n) {
      const Quat q = poser.rotation(n);
      const Vec3 t = character.nodes[n].local.translation + poser.offset(n);
      turned[n] = turned[n] || q.vec().norm() > 1e-12;
      moved[n] = moved[n] || poser.offset(n).norm() > 1e-12;
      turns[n].values.insert(turns[n].values.end(), {q.x(), q.y(), q.z(), q.w()});
      moves[n].values.insert(moves[n].values.end(), {t.x(), t.y(), t.z()});
    }
    morphs.values.insert(morphs.values.end(), poser.morphs().begin(), poser.morphs().end());
  }
  Clip clip{name, {}};
  const auto keep = [&](Track& track) {
    track.times = times;
    clip.tracks.push_back(std::move(track));
  };
  for (int n = 0; n < count; ++n) {
    if (turned[n]) keep(turns[n]);
    if (moved[n]) keep(moves[n]);
  }
  if (std::any_of(morphs.values.begin(), morphs.values.end(), [](double w) { return w != 0; })) keep(morphs);
  return clip;
}

}  // namespace cutis
