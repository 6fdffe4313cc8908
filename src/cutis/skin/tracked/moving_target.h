#pragma once

#include "cutis/body/body.h"

namespace cutis {

/// The surface that skin tracks at one moment.
struct TargetPose {
  double time = 0;                   ///< [s]
  Points positions;                  ///< of the welded vertices [m]
  Points velocities;                 ///< [m/s]
  IdVector<VertexId, Vec3> normals;  ///< outwards, not unit between the moments that were asked of the body
};

/// A body as the target of tracked skin, over one frame at a time. The body is asked for at the frame's ends;
/// between them it moves along the cubic through its places and velocities there (Hermite), so that its
/// velocity is continuous from frame to frame and substeps are cheap. The velocity at a frame's end is that
/// before it, and at the start that after it: a leap between frames is no velocity.
class MovingTarget {
 public:
  enum class Velocities {
    OfBody,  ///< the body's own at the ends of a frame
    Chord    ///< the way over a frame by its time: a fifth of the cost, for a single step per frame
  };
  /// The body must outlive it.
  MovingTarget(const Body& body, Velocities velocities);

  const Surface& rest() const { return *body_.surface(); }
  /// Starts at a time [s].
  void start(double time);
  /// Resumes at a time [s]; the velocity there is measured within the interval `seen`.
  void resume(double time, const Interval& seen);
  const Interval& seen() const { return seen_; }
  /// To the frame between the last time and this one.
  void advance(double time);
  const TargetPose& begin() const { return begin_; }
  const TargetPose& end() const { return end_; }
  /// Within the frame. Memory of `pose` is used again.
  void at(double time, TargetPose& pose) const;
  /// The body's own at any time [m].
  Points positions(double time) const;

 private:
  const Body& body_;
  Velocities velocities_;
  TargetPose begin_, end_;
  Interval seen_;  ///< when the velocity of `end_` was taken from [s]

  TargetPose pose(double time) const;
};

}  // namespace cutis
