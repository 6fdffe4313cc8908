#include "cutis/body/rig/smooth_clip.h"

#include <algorithm>
#include <cmath>

#include "cutis/body/rig/clip.h"

namespace cutis {
namespace {

/// Tracks of one clip may end this far apart without one of them being held [s]: more than rounding, less
/// than a frame.
constexpr double kSameEnd = 1e-3;
/// Keys no further apart are a jump [s]: files of single precision tell times apart about as well.
constexpr double kJump = 1e-6;

/// One column of numbers for each key, or for each stretch between keys.
using Columns = Eigen::MatrixXd;

double minmod(double a, double b) {
  if (a * b <= 0) return 0;
  return std::abs(a) < std::abs(b) ? a : b;
}

/// Huynh, "Accurate monotone cubic interpolation" (1993), constraint M3-A: the slope may be three times the
/// lesser secant, which keeps cubics monotone, or 3/2 of what both neighbouring parabolas of lesser curvature
/// agree on, which keeps smooth extrema from being cut off. `bend` is half of such a curvature.
double bounded_slope(double parabola, double secant_before, double secant_after, double bend_before,
                     double bend_after) {
  const double turning = minmod(secant_before + bend_before, secant_after - bend_after);
  const double bound = std::max(3 * std::abs(minmod(secant_before, secant_after)), 1.5 * std::abs(turning));
  return std::clamp(parabola, -bound, bound);
}

/// At an end of the curve, where it may not set out backwards.
double end_slope(double slope, double secant) {
  return std::clamp(slope, std::min(0.0, 3 * secant), std::max(0.0, 3 * secant));
}

/// Slopes of one component at n + 1 keys that lie `widths` apart, from the n secants between them.
Eigen::VectorXd slopes(const Eigen::VectorXd& widths, const Eigen::VectorXd& secants) {
  const Eigen::Index n = secants.size();
  Eigen::VectorXd result = Eigen::VectorXd::Constant(n + 1, secants[0]);
  if (n == 1) return result;
  // Nothing is known of the curvature at the ends: a curve that holds still there is not to swing.
  Eigen::VectorXd second = Eigen::VectorXd::Zero(n + 1);
  for (Eigen::Index i = 1; i < n; ++i)
    second[i] = (secants[i] - secants[i - 1]) / (widths[i - 1] + widths[i]);
  const auto bend = [&](Eigen::Index stretch) {
    return minmod(second[stretch], second[stretch + 1]) * widths[stretch];
  };
  const double first_bend = minmod(second[1], second[std::min<Eigen::Index>(2, n - 1)]) * widths[0];
  const double last_bend = minmod(second[n - 1], second[std::max<Eigen::Index>(n - 2, 1)]) * widths[n - 1];
  result[0] = end_slope(secants[0] - first_bend, secants[0]);
  result[n] = end_slope(secants[n - 1] + last_bend, secants[n - 1]);
  for (Eigen::Index i = 1; i < n; ++i)
    result[i] = bounded_slope(secants[i - 1] + second[i] * widths[i - 1], secants[i - 1], secants[i],
                              bend(i - 1), bend(i));
  return result;
}

Quat unit(const Vec4& xyzw) {
  const double norm = xyzw.norm();
  return norm > 0 && std::isfinite(norm) ? Quat(Vec4(xyzw / norm)) : Quat::Identity();
}

/// Axis times angle of the turn from `a` to `b` as seen from `a` [rad]; both on one side of the sphere.
Vec3 turn(const Quat& a, const Quat& b) {
  const Quat difference = a.conjugate() * b;
  const double sine = difference.vec().norm();
  if (sine < 1e-12) return 2 * difference.vec();
  return 2 * std::atan2(sine, difference.w()) / sine * difference.vec();
}

/// Unit keys, each on the side of the sphere that the one before is on: the short way around.
void join_rotations(Columns& keys) {
  for (Eigen::Index k = 0; k < keys.cols(); ++k) {
    keys.col(k) = unit(keys.col(k)).coeffs();
    if (k > 0 && keys.col(k).dot(keys.col(k - 1)) < 0) keys.col(k) *= -1;
  }
}

/// Tangents at keys whose times rise, one after another.
Columns tangents(const Eigen::VectorXd& times, const Columns& keys, bool rotation) {
  const Eigen::Index n = times.size() - 1;
  if (n == 0) return Columns::Zero(keys.rows(), 1);
  const Eigen::VectorXd widths = times.tail(n) - times.head(n);
  Columns secants(rotation ? 3 : keys.rows(), n), result(secants.rows(), n + 1);
  for (Eigen::Index k = 0; k < n; ++k) {
    if (rotation)
      secants.col(k) = turn(Quat(Vec4(keys.col(k))), Quat(Vec4(keys.col(k + 1)))) / widths[k];
    else
      secants.col(k) = (keys.col(k + 1) - keys.col(k)) / widths[k];
  }
  for (Eigen::Index row = 0; row < secants.rows(); ++row)
    result.row(row) = slopes(widths, secants.row(row)).transpose();
  if (!rotation) return result;
  // dq/dt = q ω / 2, with ω as seen from q.
  Columns rates(4, n + 1);
  for (Eigen::Index k = 0; k <= n; ++k) {
    const Vec3 half = result.col(k) / 2;
    rates.col(k) = (Quat(Vec4(keys.col(k))) * Quat(0, half.x(), half.y(), half.z())).coeffs();
  }
  return rates;
}

/// The track with further keys where it holds still within the clip.
Track with_holds(Track track, const Interval& clip) {
  const auto n = static_cast<std::ptrdiff_t>(component_count(track));
  if (track.times.front() > clip.begin + kSameEnd) {
    const std::vector<double> first(track.values.begin(), track.values.begin() + n);
    track.times.insert(track.times.begin(), clip.begin);
    track.values.insert(track.values.begin(), first.begin(), first.end());
  }
  if (track.times.back() < clip.end - kSameEnd) {
    const std::vector<double> last(track.values.end() - n, track.values.end());
    track.times.push_back(clip.end);
    track.values.insert(track.values.end(), last.begin(), last.end());
  }
  return track;
}

Track smoothed(const Track& linear, const Interval& clip) {
  Track track = with_holds(linear, clip);
  const auto components = static_cast<Eigen::Index>(component_count(track));
  const auto count = static_cast<Eigen::Index>(track.times.size());
  const bool rotation = track.path == TrackPath::Rotation;
  const Eigen::Map<const Eigen::VectorXd> times(track.times.data(), count);
  Columns keys = Eigen::Map<const Columns>(track.values.data(), components, count);
  if (rotation) join_rotations(keys);
  Columns rates(components, count);
  // From jump to jump.
  for (Eigen::Index begin = 0, end = 1; begin < count; begin = end++) {
    while (end < count && times[end] - times[end - 1] > kJump) ++end;
    rates.middleCols(begin, end - begin) =
        tangents(times.segment(begin, end - begin), keys.middleCols(begin, end - begin), rotation);
  }
  track.interpolation = Interpolation::CubicSpline;
  track.values.resize(static_cast<std::size_t>(3 * components * count));
  Eigen::Map<Columns> out(track.values.data(), components, 3 * count);
  for (Eigen::Index k = 0; k < count; ++k) {
    out.col(3 * k) = out.col(3 * k + 2) = rates.col(k);
    out.col(3 * k + 1) = keys.col(k);
  }
  return track;
}

}  // namespace

Clip smoothed(const Clip& clip) {
  Clip smooth = clip;
  for (Track& track : smooth.tracks)
    if (track.interpolation == Interpolation::Linear && track.times.size() > 1)
      track = smoothed(track, clip.duration());
  return smooth;
}

}  // namespace cutis
