#pragma once

#include <optional>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/flesh/flesh_options.h"
#include "cutis/flesh/flesh_problem.h"
#include "cutis/solve/block_jacobi_solver.h"
#include "cutis/solve/generalized_alpha.h"
#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {

struct FleshDynamicsOptions {
  FleshIntegrator integrator = FleshIntegrator::GeneralizedAlpha;
  double tolerance = 3e-4;  ///< on the Newton decrement before the last step, as a share of the energy at a
                            ///< strain of one
  int max_iterations = 30;
};

/// Of a Newton step: it is one of several.
constexpr ConjugateGradientOptions kFleshConjugateGradients{1e-2, 500};

/// All that one step hands to the next.
struct FleshMotion {
  double time = 0, last_step = 0;          ///< [s]; last_step 0: there was none
  NodePoints positions, positions_before;  ///< now, and one step before [m]
  NodePoints velocities;                   ///< [m/s]
  NodePoints accelerations;                ///< [m/s²]
};

/// Moves flesh through time by implicit steps.
class FleshDynamics {
 public:
  FleshDynamics(FleshTissue tissue, const FleshDynamicsOptions& options);

  FleshProblem& problem() { return problem_; }
  const FleshProblem& problem() const { return problem_; }
  const NewtonOptions& newton() const { return newton_; }
  const FleshMotion& motion() const { return motion_; }
  void set_motion(FleshMotion motion) { motion_ = std::move(motion); }
  /// At these places, as if it had gone on at these velocities before.
  void start(double time, NodePoints positions, NodePoints velocities);

  /// To a later time. `target`: where the fixed nodes are then; those of other nodes are not looked at.
  /// `forces`: on each node [N] at equilibrium(); empty for none. Not converging is a value: the state is
  /// then the best found. The moment of a step to a later time at which its forces are in equilibrium, as a
  /// share of the step: what changes in it (shapes at rest, forces, anchors) is to be given there.
  double equilibrium() const;
  /// In the last step: parts that nothing holds, which get the momentum of what acts on them in place of that
  /// of the solver's rounding, and by how much their velocity changed.
  std::optional<StepNote> note() const;
  NewtonReport step(double to, const NodePoints& target, NodePoints forces = {});
  /// To where it would come to rest with its fixed nodes where they are; from the present places on.
  NewtonReport settle(NodePoints forces = {});

 private:
  FleshProblem problem_;
  FleshDynamicsOptions options_;
  FleshMotion motion_;
  BlockJacobiSolver conjugate_gradients_;
  SparseCholesky factor_;
  NewtonOptions newton_;
  IdVector<NodeId, int> floating_;  ///< part without a fixed node that a node belongs to; -1: none
  int floating_parts_ = 0;
  double replaced_velocity_ = -1;  ///< the largest change in the last step [m/s]; below 0: none

  void find_floating_parts();
  void start_near(const NodePoints& predicted, const NodePoints& target);
  bool correct_rigid_motion(const NodePoints& predicted, const NodePoints& forces, double step,
                            NodePoints& positions) const;
  void keep_momenta(const GeneralizedAlpha& by, double dt, const NodePoints& forces, FleshMotion& after);
};

}  // namespace cutis
