#pragma once

#include <limits>

#include "cutis/body/simulation_stage.h"
#include "cutis/skin/constraint/skin_constraints.h"
#include "cutis/skin/problem/skin_forces.h"
#include "cutis/skin/tracked/hinge_bending.h"
#include "cutis/skin/tracked/moving_target.h"
#include "cutis/skin/tracked/tracked_membrane.h"
#include "cutis/skin/tracked/tracking_forces.h"

namespace cutis {

/// Tracked skin at one moment.
struct TrackedState {
  double time = 0;                                   ///< [s]
  double step = std::numeric_limits<double>::max();  ///< as long as deformation allowed at last [s]
  Points positions, velocities;                      ///< [m], [m/s]
  SkinPoints bindings;                               ///< the points of the target that nodes are bound to
};

/// Tracked skin through time: adaptive substeps of the material, with the forces that hold it on its target
/// in each of them or once a frame. The same bits at any number of threads.
class TrackedDynamics {
 public:
  /// The body is the target at rest; it and the options must outlive it. Throws InputError where the options
  /// do not fit the body.
  TrackedDynamics(const Body& body, const TrackedOptions& options);

  /// Where the target is, with its velocity and shapes.
  void start(const TargetPose& pose);
  /// Through the frame of the target; how many substeps.
  int advance(const MovingTarget& target);

  const TrackedState& state() const { return state_; }
  /// What a vertex may do. Those on open borders are fixed where these hold skin.
  SkinRole role(VertexId v) const { return roles_[v]; }
  /// Moved by the forces: free, or on a curve.
  bool moves(VertexId v) const { return roles_[v] == SkinRole::Free || roles_[v] == SkinRole::OnCurve; }
  const TrackedMembrane& membrane() const { return membrane_; }
  bool has_material() const { return options_.material_step != MaterialStep::None; }
  int rejected() const { return rejected_; }  ///< substeps of the last frame that were taken back
  /// Triangles that lie on their backs at the end of the last frame, against a target that does not.
  std::size_t inverted() const { return inverted_; }
  /// The greatest distance of a node from its target [m].
  double greatest_distance(const TargetPose& target) const;

  void save(State& state) const;
  void restore(const State& state);

 private:
  const Surface& rest_;
  const TrackedOptions& options_;
  SkinConstraints constraints_;
  TrackingForces tracking_;
  TrackedMembrane membrane_;
  SkinForces outer_forces_;
  HingeBending bending_;
  TriangleShapes shapes_;
  IdVector<VertexId, SkinRole> roles_;
  TrackedState state_, next_;  ///< `next_`: after a substep that may be taken back
  int rejected_ = 0;
  std::size_t inverted_ = 0;

  void check_steps();
  void pull_ahead(const MovingTarget& target);
  int go_through_substeps(const MovingTarget& target);
  double longest_step(double frame) const;
  void step(const TargetPose& from, const TargetPose& to);
  void step_node(VertexId v, const TargetPose& from, const TargetPose& to, TrackedNode& node) const;
  void kick(double dt, Points& velocities) const;
  void place_prescribed(const TargetPose& from, const TargetPose& to);
  void keep_on_curve(VertexId v, const TargetPose& target, TrackedNode& node) const;
  void end_frame(const MovingTarget& target);
  void turn_inverted(const TargetPose& target);
  void move_binding(VertexId v, const SurfacePoint& to, const TargetPose& target);
  template <class F>
  void for_nodes(const TargetPose& target, TrackedState& state, const F& f) const;
  IdVector<VertexId, Vec3> normals(const TargetPose& target) const;
};

}  // namespace cutis
