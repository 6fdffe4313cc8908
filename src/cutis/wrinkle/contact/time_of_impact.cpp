#include "cutis/wrinkle/contact/time_of_impact.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/id.h"

namespace cutis {
namespace {

/// Of the distance at the start that is left where a pair would touch (Li et al. 2021, Sec. 5.4).
constexpr double kDistanceLeft = 0.1;
/// Of that rest: a pair this near to it goes no further.
constexpr double kCloseEnough = 1.5;
/// A pair that glides along this many times without an end has gone safely as far as it has.
constexpr int kMostAdvances = 10000;

/// By how much the pair can come closer in a whole step: the fastest of one side and the fastest of the
/// other, relative to their mean.
double approach(ContactKind kind, const ContactPoints& steps) {
  const Vec3 mean = (steps[0] + steps[1] + steps[2] + steps[3]) / 4;
  std::array<double, 4> way;
  for (std::size_t i = 0; i < 4; ++i) way[i] = (steps[i] - mean).norm();
  return kind == ContactKind::PointTriangle ? way[0] + std::max({way[1], way[2], way[3]})
                                            : std::max(way[0], way[1]) + std::max(way[2], way[3]);
}

double distance_after(ContactKind kind, const ContactPoints& points, const ContactPoints& steps,
                      double time) {
  ContactPoints moved;
  for (std::size_t i = 0; i < 4; ++i) moved[i] = points[i] + time * steps[i];
  return std::sqrt(squared_distance(kind, moved));
}

}  // namespace

/// Within the next (d - left) / fastest a pair at the distance d cannot come nearer than `left`. (Li et al.
/// advance by 0.9 d / fastest and give back the last advance, which is the first one where a pair meets head
/// on.)
PairSweep sweep_pair(ContactKind kind, const ContactPoints& points, const ContactPoints& steps) {
  const double fastest = approach(kind, steps);
  double distance = std::sqrt(squared_distance(kind, points));
  const double left = kDistanceLeft * distance;
  const double nearest = std::max(0.0, distance - fastest);
  if (distance - left >= fastest) return {1, nearest};
  double time = 0;
  for (int i = 0; i < kMostAdvances && distance > kCloseEnough * left; ++i) {
    time += (distance - left) / fastest;
    if (time >= 1) return {1, nearest};
    distance = distance_after(kind, points, steps, time);
  }
  return {time, nearest};
}

}  // namespace cutis
