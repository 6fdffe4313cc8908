#pragma once

#include <limits>
#include <string>

#include "cutis/solve/linear_solver.h"
#include "cutis/solve/newton_problem.h"

namespace cutis {

struct NewtonOptions {
  double tolerance = 1e-6;  ///< on the decrement sqrt(stepᵀ H step), as a share of `scale`
  double scale = 1;         ///< [sqrt(J)]
  int max_iterations = 50;
  /// After so many steps in a row that can hardly be taken a solve ends: for those who can start again from
  /// nearer, that is faster.
  int max_short_steps = 10;
  /// Whether the step that shows the decrement to be within the tolerance is taken, too: it costs no more
  /// than an energy, and what is left after it is far smaller.
  bool take_last_step = false;
  /// Whether the true Hessian is to be definite at the end where a problem has modified ones.
  bool leave_saddle_points = true;
  /// Whether the decrement after a whole step near the minimum may be measured with the factor of that step.
  bool check_by_factor = false;
  /// With which Hessian the first step is sought: 0 the true one, k > 0 modified_hessian(k - 1) of a problem
  /// that has it. Where it is known which ones are indefinite, they need not be factorised.
  int first_level = 0;
  /// Whether to begin with the factor that the solver has from an earlier call, without a Hessian (the chord
  /// method), while each step leaves a small share of the one before.
  bool keep_factor = false;
  /// Above 0: once the decrement is below lagged_below * tolerance, steps are found by at most so many
  /// conjugate gradients with the factor of an earlier Hessian; where those do not do, the Hessian is
  /// factorised anew. 0 factorises every time.
  int lagged_iterations = 0;
  double lagged_below = std::numeric_limits<double>::infinity();
  /// Whether the first of them may have the factor that the solver has from an earlier call.
  bool lagged_from_before = false;
  double lagged_tolerance =
      0.05;  ///< error of such a step, as a share of it, both in the norm of the decrement
};

struct NewtonReport {
  bool converged = false;
  bool definite = false;  ///< the last Hessian that was factorised was the true one, here
  int iterations = 0;     ///< steps taken
  int factorizations = 0;
  int first_level = 0;        ///< of the Hessian that gave the first step, as in the options
  int chord_steps = 0;        ///< with a factor of an earlier call
  int lagged_iterations = 0;  ///< conjugate gradients in all
  int cuts = 0;               ///< how often a step was halved
  int saddle_points = 0;      ///< left along negative curvature
  double decrement = 0;       ///< at the end, as a share of scale; infinite where there is no step to measure
  double energy = 0;          ///< at the end [J]
  std::string reason;         ///< why it did not converge; empty when it did
};

class NonlinearElimination;
/// Minimises. `solver` has analysed the pattern, or is analysed here when it is new; it is kept for the next
/// call, which takes nothing but the analysis from it unless it keeps the factor. With `elimination`, one for
/// the same problem, single places are solved for on their own at the start and after each step. Each step
/// lowers the energy, up to rounding; a state whose energy is not finite is never accepted. Where a problem
/// has modified Hessians and the last factor is that of one, the true one is definite at the end, if the
/// options say so: a saddle point is left along its negative curvature. Not converging is a value: the state
/// is then the best one found.
NewtonReport minimize(NewtonProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                      NonlinearElimination* elimination = nullptr);

}  // namespace cutis
