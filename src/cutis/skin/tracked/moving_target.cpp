#include "cutis/skin/tracked/moving_target.h"

#include <algorithm>
#include <utility>

#include "cutis/body/time_derivative.h"
#include "cutis/core/parallel.h"

namespace cutis {

MovingTarget::MovingTarget(const Body& body, Velocities velocities) : body_(body), velocities_(velocities) {}

Points MovingTarget::positions(double time) const {
  return body_.weld().gather(body_.smooth_positions(time));
}

TargetPose MovingTarget::pose(double time) const {
  TargetPose out{time, positions(time), {}, {}};
  out.normals = angle_weighted_normals(rest().mesh(), out.positions);
  out.velocities = velocities_ == Velocities::OfBody
                       ? rate_of_change([this](double t) { return positions(t); }, time, seen_)
                       : Points(out.positions.size(), Vec3::Zero());
  return out;
}

void MovingTarget::start(double time) {
  const Interval moves = body_.duration();
  resume(time, {std::max(time, moves.begin), moves.end});
}

void MovingTarget::resume(double time, const Interval& seen) {
  seen_ = seen;
  begin_ = end_ = pose(time);
}

void MovingTarget::advance(double time) {
  const Interval moves = body_.duration();
  seen_ = {std::max(end_.time, moves.begin), std::min(time, moves.end)};
  begin_ = std::exchange(end_, pose(time));
  const std::size_t n = begin_.positions.size();
  if (velocities_ == Velocities::Chord) {
    for (VertexId v : ids<VertexId>(n))
      end_.velocities[v] = (end_.positions[v] - begin_.positions[v]) / (time - begin_.time);
    begin_.velocities = end_.velocities;
  } else if (begin_.time >= body_.duration().end) {
    // At its very end a motion still has a velocity, and beyond it the body holds still.
    begin_.velocities.assign(n, Vec3::Zero());
  }
}

void MovingTarget::at(double time, TargetPose& out) const {
  if (time == end_.time || time == begin_.time) {
    out = time == end_.time ? end_ : begin_;
    return;
  }
  const double dt = end_.time - begin_.time, s = (time - begin_.time) / dt;
  // Hermite's cubics, and their derivatives by s.
  const double to_end = s * s * (3 - 2 * s), from_begin = s * (1 - s) * (1 - s), from_end = -s * s * (1 - s);
  const double d_to_end = 6 * s * (1 - s), d_from_begin = (1 - s) * (1 - 3 * s), d_from_end = s * (3 * s - 2);
  const std::size_t n = begin_.positions.size();
  out.time = time;
  for (IdVector<VertexId, Vec3>* part : {&out.positions, &out.velocities, &out.normals}) part->resize(n);
  parallel_for(
      n,
      [&](std::size_t i) {
        const VertexId v(i);
        const Vec3 way = end_.positions[v] - begin_.positions[v];
        const Vec3 &before = begin_.velocities[v], &after = end_.velocities[v];
        out.positions[v] = begin_.positions[v] + to_end * way + dt * (from_begin * before + from_end * after);
        out.velocities[v] = d_to_end / dt * way + d_from_begin * before + d_from_end * after;
        out.normals[v] = (1 - s) * begin_.normals[v] + s * end_.normals[v];
      },
      2048);
}

}  // namespace cutis
