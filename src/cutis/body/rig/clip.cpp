#include "cutis/body/rig/clip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutis {
namespace {

using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

/// The keys around a time: t = times[key] + s * width with 0 <= s < 1, or s = 0 where the track holds still.
struct Place {
  std::size_t key = 0;
  double s = 0;
  double width = 0;
};

Place find_place(const std::vector<double>& times, double time) {
  if (!(time > times.front())) return {};
  if (time >= times.back()) return {times.size() - 1, 0, 0};
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const std::size_t key = static_cast<std::size_t>(after - times.begin()) - 1;
  const double width = times[key + 1] - times[key];
  return {key, (time - times[key]) / width, width};
}

void slerp(ConstVector from, ConstVector to, double s, Vector out) {
  const Vec4 a = Vec4(from).normalized();
  Vec4 b = Vec4(to).normalized();
  double cosine = a.dot(b);
  if (cosine < 0) {
    b = -b;
    cosine = -cosine;
  }
  // Below this angle the sines are linear to the last bit.
  const double angle = std::acos(std::min(cosine, 1.0));
  if (angle < 1e-8)
    out = (1 - s) * a + s * b;
  else
    out = (std::sin((1 - s) * angle) * a + std::sin(s * angle) * b) / std::sin(angle);
}

void normalize_rotation(Vector q) {
  const double norm = q.norm();
  if (norm > 0 && std::isfinite(norm))
    q /= norm;
  else
    q = Vec4(0, 0, 0, 1);
}

}  // namespace

std::size_t component_count(const Track& track) {
  return track.values.size() / track.times.size() /
         (track.interpolation == Interpolation::CubicSpline ? 3 : 1);
}

void sample(const Track& track, double time, std::span<double> out) {
  const auto n = static_cast<Eigen::Index>(component_count(track));
  const auto value = [&](std::size_t i) {
    return ConstVector(track.values.data() + static_cast<Eigen::Index>(i) * n, n);
  };
  const Place at = find_place(track.times, time);
  const bool rotation = track.path == TrackPath::Rotation;
  Vector result(out.data(), n);
  if (track.interpolation == Interpolation::CubicSpline) {
    const std::size_t k = 3 * at.key;
    if (at.width == 0) {
      result = value(k + 1);
    } else {
      // glTF 2.0, C.5: Hermite with out-tangent b of this key and in-tangent a of the next, times the width.
      const double s = at.s, s2 = s * s, s3 = s2 * s;
      result = (2 * s3 - 3 * s2 + 1) * value(k + 1) + (s3 - 2 * s2 + s) * at.width * value(k + 2) +
               (3 * s2 - 2 * s3) * value(k + 4) + (s3 - s2) * at.width * value(k + 3);
    }
  } else if (track.interpolation == Interpolation::Step || at.width == 0) {
    result = value(at.key);
  } else if (rotation) {
    slerp(value(at.key), value(at.key + 1), at.s, result);
  } else {
    result = (1 - at.s) * value(at.key) + at.s * value(at.key + 1);
  }
  if (rotation) normalize_rotation(result);
}

Interval Clip::duration() const {
  if (tracks.empty()) return {};
  Interval whole{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Track& track : tracks) {
    whole.begin = std::min(whole.begin, track.times.front());
    whole.end = std::max(whole.end, track.times.back());
  }
  return whole;
}

}  // namespace cutis
