#pragma once

#include <memory>

#include "cutis/solve/newton_problem.h"
#include "cutis/solve/stencil_graph.h"

namespace cutis {

/// An energy that is a sum over stencils, so that some blocks of its unknowns can be solved for while all
/// others hold still.
class DecomposableProblem : public NewtonProblem {
 public:
  virtual const StencilGraph& graph() const = 0;
  /// Unknowns of one block.
  virtual Eigen::Index block_size() const = 0;

  /// What the forces at a block would do if it moved alone: gᵀ H⁻¹ g / 2 of its own gradient and Hessian [J],
  /// where gradient() was taken last. Calls may run in parallel.
  virtual double local_decrement(std::size_t block) const = 0;
  /// By how much the energy of a stencil, where the last trial led, is above what the second-order expansion
  /// says of that step [J].
  virtual double model_excess(std::size_t stencil, const Eigen::VectorXd& step) const = 0;

  /// Keeps the present state, and goes back to it; returns its energy.
  virtual void save_state() = 0;
  virtual double restore_state() = 0;

  /// Must be called before subdomains are moved from the present state. Trials of the whole then need another
  /// gradient() first.
  virtual void begin_subdomains() = 0;
  /// The blocks of `part`, which must outlive it, while all others hold still. They stay where its last trial
  /// led. Subdomains that have no stencil in common may be solved in parallel.
  virtual std::unique_ptr<NewtonProblem> subdomain(const Subdomain& part) = 0;
  /// Must be called after subdomains have moved; returns the energy of the whole.
  virtual double end_subdomains() = 0;
  /// Makes gradient, Hessian and local decrements those of the present state where nothing but the midst of
  /// `part` has moved since they were.
  virtual void reassemble(const Subdomain& part) = 0;
};

/// Nonlinear elimination (Lanzkron, Rose and Wilkes 1996). A few places where the energy is far from
/// quadratic (a crease, a fold) would throttle the steps of all unknowns, or cost one after the other; they
/// are solved for on their own, and a factorisation of the whole is saved.
class NonlinearElimination {
 public:
  /// The problem must outlive it.
  explicit NonlinearElimination(DecomposableProblem& problem) : problem_(problem) {}

  /// Around the blocks with the largest local decrements, where these are few, down to `worth` [J] above the
  /// minimum. Returns the energy, no more than it was, up to rounding.
  double eliminate_largest(double worth);
  /// After a line search from where `gradient` was taken that ended with trial(step, factor) at `energy`:
  /// takes the largest allowed part of the step but around the stencils that rise above their second-order
  /// model, and solves for these places. Returns the energy, no more than `energy`. Another gradient() must
  /// follow.
  double eliminate_excess(const Eigen::VectorXd& gradient, const Eigen::VectorXd& step, double factor,
                          double energy);

 private:
  DecomposableProblem& problem_;

  std::vector<Subdomain> select_subdomains(const std::vector<double>& decrements) const;
  std::vector<Subdomain> select_subdomains(const Eigen::VectorXd& gradient,
                                           const Eigen::VectorXd& step) const;
  double solve(const std::vector<Subdomain>& list);
};

}  // namespace cutis
