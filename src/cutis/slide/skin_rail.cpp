#include "cutis/slide/skin_rail.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

namespace cutis {
namespace {

/// A plane cuts the surface when the surface's normal stands at no more than 70 degrees on it.
constexpr double kCuts = 0.94;
/// A parallel has turned back where it gains less than this share of what the curve does.
constexpr double kTurned = 0.05;
/// At an end, as a share of the curve's length.
constexpr double kAtEnd = 1e-9;
/// A step is none below this share of the body's size.
constexpr double kRounding = 1e-14;
constexpr int kMostSteps = 30;

/// Where along the curve x is beside it: (x - c) . c' falls through zero between two places around the
/// nearest sample; an end of the curve when it does not.
double beside(const GuideCurve& curve, const Vec3& x) {
  const auto& samples = curve.samples();
  const auto nearer = [&](const GuideCurve::Place& a, const GuideCurve::Place& b) {
    return (x - a.position).squaredNorm() < (x - b.position).squaredNorm();
  };
  const auto k = std::min_element(samples.begin(), samples.end(), nearer) - samples.begin();
  const double middle = static_cast<double>(k) * curve.sample_spacing();
  double low = middle - curve.sample_spacing(), high = middle + curve.sample_spacing();
  if (!curve.closed()) {
    low = std::max(low, 0.0);
    high = std::min(high, curve.length());
  }
  const auto ahead = [&](double s) {
    const GuideCurve::Place at = curve.at(s);
    return (x - at.position).dot(at.derivative) > 0;
  };
  if (!ahead(low)) return low;
  if (ahead(high)) return high;
  for (double s = 0.5 * (low + high); low < s && s < high; s = 0.5 * (low + high))
    (ahead(s) ? low : high) = s;
  return low;
}

}  // namespace

/// A place of the rail, and where it moves with s.
struct SkinRail::Reached {
  SurfacePoint point;
  SkinJet jet;
  Vec2 way = Vec2::Zero();  ///< dq/ds
};

std::optional<SkinRail> SkinRail::through(const SkinSurface& at_rest, const SurfacePoint& home,
                                          std::shared_ptr<const GuideCurve> curve) {
  const SkinJet jet = at_rest.evaluate(home);
  const double s = beside(*curve, jet.position);
  const GuideCurve::Place place = curve->at(s);
  SkinRail rail;
  rail.offset_ = place.frame.transpose() * (jet.position - place.position);
  if (std::abs(rail.offset_[0]) > 1e-6 * curve->length()) return {};
  // A line lies in many planes: that of the vertex's own normal is cut squarely.
  const Vec3 own = place.derivative.cross(jet.normal);
  if (curve->straight())
    rail.plane_ =
        own.norm() > (1 - kCuts) * place.derivative.norm() ? Vec3(own.normalized()) : Vec3(Vec3::Zero());
  else if (curve->plane() && std::abs(curve->plane()->dot(jet.normal)) < kCuts)
    rail.plane_ = *curve->plane();
  rail.curve_ = std::move(curve);
  if (!rail.find_ends(s)) return {};
  // Where the curve folds back beside itself, the nearest place may be on the other branch.
  const Vec3 back = at_rest.evaluate(rail.nearest(at_rest, home).point).position - jet.position;
  if (!(back.norm() < 1e-9 * at_rest.rest().size())) return {};
  return rail;
}

/// Goes on both ways from s until the curve ends or the parallel turns back; false when it does so at s.
bool SkinRail::find_ends(double s) {
  const auto turned = [&](double t) {
    const GuideCurve::Place at = curve_->at(t);
    return !(at.carried_derivative(offset_).dot(at.derivative) > kTurned * at.derivative.squaredNorm());
  };
  if (turned(s)) return false;
  from_ = curve_->closed() ? s - curve_->length() : 0;
  to_ = curve_->closed() ? s + curve_->length() : curve_->length();
  const double step = curve_->sample_spacing();
  bool stops = !curve_->closed();
  for (double t = s; t < to_; t += step)
    if (turned(t)) to_ = t - step, stops = true;
  for (double t = s; t > from_; t -= step)
    if (turned(t)) from_ = t + step, stops = true;
  round_ = !stops;
  return true;
}

double SkinRail::limited(double s) const { return round_ ? s : std::clamp(s, from_, to_); }

/// Where the chords between the samples of the carried offset come nearest to x.
double SkinRail::guess(const Vec3& x) const {
  const auto& samples = curve_->samples();
  const double step = curve_->sample_spacing(), length = curve_->length();
  double best = std::numeric_limits<double>::infinity(), place = from_;
  const std::size_t chords = samples.size() - !curve_->closed();
  Vec3 before = samples.front().carried(offset_);
  for (std::size_t k = 0; k < chords; ++k) {
    const Vec3 after = samples[(k + 1) % samples.size()].carried(offset_), chord = after - before;
    const double share = std::clamp(chord.dot(x - before) / std::max(chord.squaredNorm(), 1e-300), 0.0, 1.0);
    const double distance = (before + share * chord - x).squaredNorm();
    before = after;
    if (!(distance < best)) continue;
    double s = (static_cast<double>(k) + share) * step;
    if (curve_->closed() && !round_) s += length * std::ceil((from_ - s) / length);
    if (!round_ && (s < from_ || s > to_)) continue;
    best = distance;
    place = s;
  }
  return place;
}

/// The closest place to y, the offset carried to s: e = x - y has no part in the tangent plane, Tᵀ e = 0; or,
/// in a plane with the normal m, m . e = 0 and (m × n) . e = 0. By Newton's method in normal coordinates q,
/// in which T changes by n (II q)ᵀ and n by -T II q.
SkinRail::Reached SkinRail::reach(const SkinSurface& at_rest, double s, const SurfacePoint& near) const {
  const GuideCurve::Place place = curve_->at(s);
  const Vec3 y = place.carried(offset_), dy = place.carried_derivative(offset_);
  Reached at{near, {}, {}};
  for (int i = 0; i < kMostSteps; ++i) {
    at.jet = at_rest.evaluate(at.point);
    const Mat32& T = at.jet.tangent;
    const Vec3 e = at.jet.position - y;
    Eigen::Matrix<double, 2, 3> rows = T.transpose();
    Mat2 J = Mat2::Identity() + e.dot(at.jet.normal) * at.jet.curvature;
    if (plane_ != Vec3::Zero()) {
      rows << plane_.transpose(), plane_.cross(at.jet.normal).transpose();
      J = rows * T;
      J.row(1) -= e.cross(plane_).transpose() * T * at.jet.curvature;
    }
    if (!(std::abs(J.determinant()) > 1e-6 * J.squaredNorm())) return at;
    const Mat2 inverse = J.inverse();
    at.way = inverse * (rows * dy);
    const Vec2 q = -inverse * (rows * e);
    if (!(q.norm() > kRounding * at_rest.rest().size())) return at;
    at.point = at_rest.walk(at.point, at.jet, q);
  }
  return at;
}

/// Gauss and Newton's method for (x - r(s)) . r'(s) = 0.
SkinRail::Place SkinRail::nearest(const SkinSurface& at_rest, const SurfacePoint& p) const {
  const SkinJet own = at_rest.evaluate(p);
  const Vec3& x = own.position;
  double s = limited(guess(x));
  Reached at = reach(at_rest, s, p);
  for (int i = 0; i < kMostSteps && at.way.norm() > 0; ++i) {
    const Vec2 off = at.jet.tangent.transpose() * (x - at.jet.position);
    const double next = limited(s + off.dot(at.way) / at.way.squaredNorm());
    if (!(std::abs(next - s) > 1e-14 * curve_->length())) break;
    s = next;
    at = reach(at_rest, s, at.point);
  }
  const double end = kAtEnd * curve_->length();
  const Vec3 way = at.jet.tangent * at.way;  // the place may be named by another triangle than p
  return {at.point, own.to_barycentric * (own.tangent.transpose() * way), !round_ && s <= from_ + end,
          !round_ && s >= to_ - end};
}

}  // namespace cutis
