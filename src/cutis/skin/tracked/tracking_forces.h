#pragma once

#include "cutis/skin/tracked/moving_target.h"
#include "cutis/skin/tracked/tracked_options.h"
#include "cutis/surface/map/surface_point.h"

namespace cutis {

/// A node of the skin: where it is, and the point of its target that it is bound to.
struct TrackedNode {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  ///< [m], [m/s]
  SurfacePoint binding;
};

/// What holds skin on its target (US 9,251,618, the two constraint forces): for each node a stiff spring
/// along the target's normal at its binding, the sliding force, and a soft one along the target to the node's
/// own place on it, the targeting force. Both are springs of no length that are stepped in closed form, node
/// by node and one after the other. Velocities are relative to the target's. All of it may run in parallel.
class TrackingForces {
 public:
  /// The surface is that of the target at rest; the options must outlive it.
  TrackingForces(const Surface& rest, const TrackedOptions& options);

  /// The highest angular frequency of the targeting force [rad/s].
  double highest_targeting() const { return highest_targeting_; }

  /// Binds the node to the closest point of the target, within a topologically local region: by a walk over
  /// neighbouring faces from the last one that comes closer with every step. Another part of the target that
  /// touches (a closed mouth, the crook of an elbow) is not on the way.
  void bind(const TargetPose& target, TrackedNode& node) const;

  /// The unit normal of the target at the binding, interpolated between its vertices.
  Vec3 normal(const TargetPose& target, const SurfacePoint& p) const;

  struct Offset {
    double distance;  ///< [m]; below zero where it is inside, at a border
    Vec3 direction;   ///< unit
  };
  /// From the target, normal to it.
  Offset offset(const TargetPose& target, const TrackedNode& node) const;

  /// The free flight of a node from one pose of its target to another, under an outer acceleration [m/s²]...
  void fly(VertexId v, const TargetPose& from, const TargetPose& to, const Vec3& outer,
           TrackedNode& node) const;
  /// ...and with the targeting force, exactly.
  void fly_to_target(VertexId v, const TargetPose& from, const TargetPose& to, const Vec3& outer,
                     TrackedNode& node) const;
  /// The targeting force over a step at whose end the node is: fully implicit. `velocity` is the target's.
  void pull_to_target(VertexId v, const TargetPose& target, const Vec3& velocity, double dt,
                      TrackedNode& node) const;
  /// Holds the bound node within its slide limit of its own place, where there is one: skin that has slipped
  /// off the tip of a finger would not find back.
  void hold_back(VertexId v, const TargetPose& target, TrackedNode& node) const;
  /// The node has come from `before` within `dt`: along the target no further than
  /// TrackedOptions::slide_speed allows, whether it flew there or the closest point of a crease that closes
  /// is suddenly on its other wall.
  void keep_within_reach(const TargetPose& target, const SurfacePoint& before, double dt,
                         TrackedNode& node) const;
  /// Bounds how fast the node slides by TrackedOptions::slide_speed.
  void slow_down(const TargetPose& target, TrackedNode& node) const;
  /// Where the sliding force is too stiff for the step to follow: the node hardly lifts off its target in it.
  void keep_down(VertexId v, const TargetPose& target, double dt, TrackedNode& node) const;
  /// Takes the node along with the target in the tangent plane at its binding, for steps between which it is
  /// not bound anew: what the target curves away from that plane is left for the sliding force.
  void keep_in_plane(const TargetPose& target, TrackedNode& node) const;
  /// The sliding force over a step at whose end the node is: fully implicit.
  void press_onto_target(VertexId v, const TargetPose& target, double dt, TrackedNode& node) const;
  /// The same force before the step, explicitly: stable only in steps shorter than its own vibrations.
  void push_onto_target(VertexId v, const TargetPose& target, double dt, TrackedNode& node) const;

 private:
  const Surface& rest_;
  const TrackedOptions& options_;
  double highest_targeting_;

  Vec3 triangle_normal(const TargetPose& target, const SurfacePoint& p) const;
  bool is_on_border(const SurfacePoint& p) const;
  DampedSpring sliding(VertexId v) const;
  DampedSpring targeting(VertexId v) const;
  double lag_gain(VertexId v) const { return options_.lag_gain.empty() ? 1 : options_.lag_gain[v]; }
};

}  // namespace cutis
