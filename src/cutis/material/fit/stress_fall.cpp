#include "cutis/material/fit/stress_fall.h"

#include <algorithm>

namespace cutis {
namespace {

/// Against noise: careful tests of porcine skin fall by up to 5 % of their largest stress.
constexpr double kFall = 0.1;
/// What the stretch may jitter, as a share of its range.
constexpr double kJitter = 0.02;

using Points = std::vector<StretchTest::Point>;

/// The larger of the two ranges of stretch.
double range_of(const Points& points) {
  Vec2 low = points.front().stretch, high = low;
  for (const StretchTest::Point& point : points) {
    low = low.cwiseMin(point.stretch);
    high = high.cwiseMax(point.stretch);
  }
  return (high - low).maxCoeff();
}

/// Follows the points as long as the stretch along `axis` goes one `way`: up (1) or down (-1). A turn back
/// begins a new pull, so load and unload are not compared with each other.
std::optional<StressFall> fall_on_the_way(const StretchTest& test, int axis, double way, double jitter,
                                          double least) {
  const Points& points = test.points;
  std::size_t furthest = 0, peak = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const StretchTest::Point& now = points[i];
    const double on = way * (now.stretch[axis] - points[furthest].stretch[axis]);
    if (on < -jitter || now.angle != points[i - 1].angle) furthest = peak = i;
    if (on > 0) furthest = i;
    if (way * (now.stress[axis] - points[peak].stress[axis]) >= 0) peak = i;

    // Both axes: skin that is let go along the other one may well get slacker along this one.
    const Vec2 stretched = way * (now.stretch - points[peak].stretch);
    const double fallen = way * (points[peak].stress[axis] - now.stress[axis]);
    if (fallen > least && stretched[axis] > jitter && stretched.minCoeff() > -jitter)
      return way > 0 ? StressFall{axis, peak, i} : StressFall{axis, i, peak};
  }
  return std::nullopt;
}

}  // namespace

std::optional<StressFall> find_stress_fall(const StretchTest& test) {
  std::optional<StressFall> first;
  if (test.points.empty()) return first;
  const int axes = test.kind == StretchTest::Kind::Biaxial ? 2 : 1;
  double largest = 0;
  for (const StretchTest::Point& point : test.points)
    largest = std::max(largest, point.stress.head(axes).cwiseAbs().maxCoeff());
  const double jitter = kJitter * range_of(test.points);
  for (int axis = 0; axis < axes; ++axis)
    for (double way : {1.0, -1.0}) {
      const auto fall = fall_on_the_way(test, axis, way, jitter, kFall * largest);
      const auto seen = [](const StressFall& f) { return std::max(f.before, f.after); };
      if (fall && (!first || seen(*fall) < seen(*first))) first = fall;
    }
  return first;
}

}  // namespace cutis
