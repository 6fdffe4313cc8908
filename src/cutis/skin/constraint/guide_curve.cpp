#include "cutis/skin/constraint/guide_curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// Points lie in a plane, on a line or on each other when they miss it by less than this share of their
/// extent.
constexpr double kPlanar = 1e-4, kSamePoint = 1e-9;
constexpr double kFewestSamples = 16, kMostSamples = 4096;
constexpr double kSamplesAPoint = 4;
constexpr int kMostNearestSteps = 60;

Vec3 mean(const std::vector<Vec3>& vectors) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : vectors) sum += v;
  return sum / static_cast<double>(vectors.size());
}

double extent(const std::vector<Vec3>& points) {
  double largest = 0;
  for (const Vec3& x : points) largest = std::max(largest, (x - points.front()).norm());
  return largest;
}

}  // namespace

GuideCurve::GuideCurve(std::vector<Vec3> points, std::vector<Vec3> normals, double spacing) {
  const double size = extent(points);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && (points[i] - points[kept - 1]).norm() <= kSamePoint * size) continue;
    points[kept] = points[i];
    normals[kept++] = normals[i];
  }
  points.resize(kept);
  normals.resize(kept);
  closed_ = kept > 1 && (points.back() - points.front()).norm() <= kSamePoint * size;
  if (kept < (closed_ ? 4 : 2))
    throw InputError(fmt::format("needs {} points at least that differ", closed_ ? "three" : "two"));
  if (closed_) {
    points.back() = points.front();
    normals.back() = normals.front();
  }
  find_plane(points, normals);
  if (plane_)
    for (Vec3& x : points) x -= plane_->dot(x - points.front()) * *plane_;
  std::vector<double> knots(1, 0.0);
  for (std::size_t i = 1; i < points.size(); ++i)
    knots.push_back(knots.back() + (points[i] - points[i - 1]).norm());
  length_ = knots.back();
  if (!plane_) normal_ = CubicSpline(knots, std::move(normals), closed_);
  const double wanted = std::max(length_ / spacing, kSamplesAPoint * static_cast<double>(points.size()));
  curve_ = CubicSpline(std::move(knots), std::move(points), closed_);
  const auto samples = static_cast<int>(std::clamp(wanted, kFewestSamples, kMostSamples));
  spacing_ = length_ / samples;
  for (int i = 0; i < samples + !closed_; ++i) samples_.push_back(at(length_ * i / samples).position);
}

void GuideCurve::find_plane(const std::vector<Vec3>& points, const std::vector<Vec3>& normals) {
  const Vec3 centre = mean(points);
  Mat3 spread = Mat3::Zero();
  for (const Vec3& x : points) spread += (x - centre) * (x - centre).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
  const Vec3 along = axes.eigenvectors().col(2);
  Vec3 across = axes.eigenvectors().col(0);
  double off_plane = 0, off_line = 0;
  for (const Vec3& x : points) {
    off_plane = std::max(off_plane, std::abs(across.dot(x - centre)));
    off_line = std::max(off_line, along.cross(x - centre).norm());
  }
  const double size = extent(points);
  straight_ = off_line <= kPlanar * size;
  if (straight_) {
    // Any plane through the line will do.
    across = along.cross(mean(normals));
    if (across.norm() < 1e-6) across = along.unitOrthogonal();
    plane_ = across.normalized();
  } else if (off_plane <= kPlanar * size) {
    plane_ = across;
  }
}

GuideCurve::Place GuideCurve::at(double s) const {
  if (closed_) s -= length_ * std::floor(s / length_);
  const CubicSpline::Jet jet = curve_(s);
  Place place;
  place.position = jet.value;
  place.derivative = jet.first;
  const double speed = jet.first.norm();
  if (!(speed > 0)) return place;
  const Vec3 t = jet.first / speed, dt = (jet.second - t * t.dot(jet.second)) / speed;
  if (plane_) {
    place.frame << t, plane_->cross(t), *plane_;
    place.frame_derivative << dt, plane_->cross(dt), Vec3::Zero();
    return place;
  }
  const CubicSpline::Jet up = normal_(s);
  const Vec3 side = up.value.cross(t), dside = up.first.cross(t) + up.value.cross(dt);
  const double length = side.norm();
  if (!(length > 0)) return place;
  const Vec3 b = side / length, db = (dside - b * b.dot(dside)) / length;
  place.frame << t, b, t.cross(b);
  place.frame_derivative << dt, db, dt.cross(b) + t.cross(db);
  return place;
}

/// (x - c) . c' falls through zero between two places around the nearest sample; an end when it does not.
double GuideCurve::nearest(const Vec3& x) const {
  const auto nearer = [&](const Vec3& a, const Vec3& b) {
    return (x - a).squaredNorm() < (x - b).squaredNorm();
  };
  const auto k = std::min_element(samples_.begin(), samples_.end(), nearer) - samples_.begin();
  double low = static_cast<double>(k - 1) * spacing_, high = static_cast<double>(k + 1) * spacing_;
  if (!closed_) {
    low = std::max(low, 0.0);
    high = std::min(high, length_);
  }
  // f falls; its first zero is kept between low and high.
  const auto jet_at = [&](double s) { return curve_(closed_ ? s - length_ * std::floor(s / length_) : s); };
  const auto f = [&](const CubicSpline::Jet& jet) { return (x - jet.value).dot(jet.first); };
  if (!(f(jet_at(low)) > 0)) return low;
  if (f(jet_at(high)) > 0) return high;
  double s = 0.5 * (low + high);
  for (int i = 0; i < kMostNearestSteps; ++i) {
    const CubicSpline::Jet jet = jet_at(s);
    const double value = f(jet), slope = (x - jet.value).dot(jet.second) - jet.first.squaredNorm();
    (value > 0 ? low : high) = s;
    double next = s - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = std::abs(next - s);
    s = next;
    if (step <= 1e-16 * length_) break;
  }
  return s;
}

}  // namespace cutis
