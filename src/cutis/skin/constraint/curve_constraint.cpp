#include "cutis/skin/constraint/curve_constraint.h"

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
/// The straight line across the curve meets the surface at more than about this angle [rad].
constexpr double kGrazes = 0.05;
constexpr double kAlongside = 1e-3;  ///< below this angle it does not meet it at all
/// Of the curve's length: beside one of its places or not.
constexpr double kBeyond = 1e-6;
/// A parallel is followed in steps of this share of its curve to see where it ends.
constexpr double kStep = 1.0 / 64;
/// Shares of the body's size: a step below this is none; a place is the same up to this; a parallel may lie
/// so far beyond the border.
constexpr double kRounding = 1e-14, kSame = 1e-9, kBeyondBorder = 2e-3;
constexpr int kMostReachSteps = 30, kHalvings = 40;

/// Back onto the edge that a step along the border has just left.
SurfacePoint on_edge(SurfacePoint p) {
  for (double& b : p.barycentric)
    if (b < kSame) b = 0;
  p.barycentric /= p.barycentric.sum();
  return p;
}

}  // namespace

/// The place of the parallel for one s.
struct CurveConstraint::Reached {
  SurfacePoint point;
  SurfaceJet jet;
  Vec2 way = Vec2::Zero();  ///< dq/ds
  bool sound = false;       ///< it was reached, and the parallel goes on here
};

std::optional<CurveConstraint> CurveConstraint::through(const SlideSurface& at_rest, const SurfacePoint& home,
                                                        std::shared_ptr<const GuideCurve> curve) {
  const SurfaceJet jet = at_rest.evaluate(home);
  const double s = curve->nearest(jet.position), length = curve->length();
  const GuideCurve::Place place = curve->at(s);
  const Vec3 away = jet.position - place.position;
  if (std::abs(place.frame.col(0).dot(away)) > kBeyond * length) return {};  // beyond an end
  CurveConstraint parallel;
  if (curve->straight())
    parallel.across_ = place.derivative.cross(jet.normal).normalized();
  else if (curve->plane() && std::abs(curve->plane()->dot(jet.normal)) < kCuts)
    parallel.across_ = *curve->plane();
  const Vec3 across = parallel.across_.isZero(0) ? Vec3(place.frame.col(1)) : parallel.across_;
  parallel.offset_ = across.dot(away);
  parallel.facing_ = place.frame.col(0).cross(across).dot(jet.normal) < 0 ? -1 : 1;
  parallel.curve_ = std::move(curve);
  const Reached start = parallel.reach(at_rest, s, home, jet);
  if (!start.sound || (start.jet.position - jet.position).norm() > kSame * at_rest.rest().size()) return {};
  const bool closed = parallel.curve_->closed();
  const double step = kStep * length;
  parallel.to_ = parallel.lead(at_rest, s, step, closed ? s + length : length, start);
  parallel.from_ = parallel.lead(at_rest, s, -step, closed ? s - length : 0, start);
  parallel.round_ = closed && parallel.to_.s == s + length && parallel.from_.s == s - length;
  if (parallel.to_.s - parallel.from_.s < kBeyond * length) return {};
  return parallel;
}

/// Follows the parallel from s to `end`; returns how far it leads: until it no longer goes on, or the curve
/// no longer has it beside itself.
CurveConstraint::End CurveConstraint::lead(const SlideSurface& at_rest, double s, double step, double end,
                                           const Reached& start) const {
  const double length = curve_->length();
  Reached at = start;
  const auto goes_on = [&](double to) {
    const Reached next = reach(at_rest, to, at.point, at.jet);
    if (!next.sound) return false;
    double back = curve_->nearest(next.jet.position) - to;
    if (curve_->closed()) back -= length * std::round(back / length);
    if (std::abs(back) > kBeyond * length) return false;
    at = next;
    return true;
  };
  const auto steps = static_cast<int>(std::ceil((end - s) / step));
  double last = s;
  for (int i = 1; i <= steps; ++i) {
    double next = i == steps ? end : s + i * step;
    if (goes_on(next)) {
      last = next;
      continue;
    }
    for (int half = 0; half < kHalvings; ++half)
      (goes_on(0.5 * (last + next)) ? last : next) = 0.5 * (last + next);
    break;
  }
  return {last, at.point};
}

/// Newton's method in normal coordinates q for t . (x - c) = 0 and a . (x - c) = offset. The derivatives by s
/// give the way: t . x' = |c'| - t' . (x - c) and a . x' = -a' . (x - c), as a . c' = 0.
CurveConstraint::Reached CurveConstraint::reach(const SlideSurface& at_rest, double s,
                                                const SurfacePoint& near, const SurfaceJet& jet) const {
  const GuideCurve::Place place = curve_->at(s);
  const bool turns = across_.isZero(0);
  Eigen::Matrix<double, 2, 3> rows, turning;
  rows << place.frame.col(0).transpose(), (turns ? Vec3(place.frame.col(1)) : across_).transpose();
  turning << place.frame_derivative.col(0).transpose(),
      (turns ? Vec3(place.frame_derivative.col(1)) : Vec3(Vec3::Zero())).transpose();
  const double speed = place.derivative.norm();
  Reached at{near, jet, {}, false};
  const auto off = [&](const Vec2& q) { return q.norm() / at_rest.rest().size(); };
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostReachSteps; ++i) {
    const Vec3 away = at.jet.position - place.position;
    const Mat2 J = rows * at.jet.tangent;
    const double meets = facing_ * J.determinant();  // below zero on the far side of the body
    if (!(meets > kAlongside)) return at;
    const Mat2 inverse = J.inverse();
    const Vec2 gain = Vec2(speed, 0) - turning * away;
    const Vec2 left = Vec2(0, offset_) - rows * away;
    at.way = inverse * gain;
    Vec2 q = inverse * left;
    // A parallel beside the border, such as that of a lip, follows it where it would leave the surface by a
    // little.
    const std::optional<Vec2> border = at_rest.tangent_cone_direction(at.point, at.jet, q);
    if (border && off(q) > kRounding) {
      const double along = rows.row(0) * at.jet.tangent * *border;
      if (!(std::abs(along) > kAlongside) || std::abs(left[1]) > kBeyondBorder * at_rest.rest().size())
        return at;
      at.way = *border * (gain[0] / along);
      q = *border * (left[0] / along);
    }
    // Close to a vertex, retractions are exact to no more than the share of an edge by which a place is
    // there.
    if (!(off(q) > kRounding) || (off(q) < kSame && off(q) >= last)) {
      at.sound = gain[0] > kTurned * speed && meets > kGrazes;
      return at;
    }
    last = off(q);
    at.point = at_rest.retract(at.point, at.jet, q);
    if (border) at.point = on_edge(at.point);
    at.jet = at_rest.evaluate(at.point);
  }
  return at;
}

CurveConstraint::Place CurveConstraint::beside(const SlideSurface& at_rest, const SurfacePoint& p) const {
  const SurfaceJet jet = at_rest.evaluate(p);
  double s = curve_->nearest(jet.position);
  if (!round_ && curve_->closed()) s += curve_->length() * std::ceil((from_.s - s) / curve_->length());
  const double margin = kSame * curve_->length();
  if (round_ || (s > from_.s + margin && s < to_.s - margin)) {
    const Reached at = reach(at_rest, s, p, jet);
    if (round_ || at.sound) return {at.point, at.jet.to_barycentric * at.way, false, false};
  }
  // Beyond the nearer one of its ends.
  const auto distance = [&](const End& end) {
    return (at_rest.evaluate(end.point).position - jet.position).norm();
  };
  const bool ends = distance(to_) < distance(from_);
  const End& end = ends ? to_ : from_;
  const Reached at = reach(at_rest, end.s, end.point, at_rest.evaluate(end.point));
  return {end.point, at.jet.to_barycentric * at.way, !ends, ends};
}

}  // namespace cutis
