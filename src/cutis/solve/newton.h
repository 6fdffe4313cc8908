#pragma once

#include <limits>
#include <string>

#include <Eigen/SparseCore>

namespace cutis {

/// What Newton's method minimises: an energy over a state that need not be a vector space (skin on a curved
/// body), with unknowns that are coordinates around the present state.
class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  /// Energy at the present state [J].
  virtual double energy() = 0;
  virtual const Eigen::VectorXd& gradient() = 0;
  /// Lower triangle, compressed, always of the same pattern with the whole diagonal in it; positive
  /// semi-definite unless there is a definite_hessian(). Taken where gradient() was.
  virtual const Eigen::SparseMatrix<double>& hessian() = 0;
  /// Asked for where hessian() is not positive definite: others at the same place and of the same pattern,
  /// the closer to definite the higher `attempt`, which counts from 0; null when there is no further one. A
  /// problem that has such gives the true second derivative as hessian(), which converges quadratically where
  /// a projected one only creeps.
  virtual const Eigen::SparseMatrix<double>* definite_hessian(int attempt) {
    static_cast<void>(attempt);
    return nullptr;
  }
  /// The largest factor (0..1] by which `step` may be taken from here: the local edge length, say.
  virtual double longest_step(const Eigen::VectorXd& step) = 0;
  /// Moves from the state of the last gradient() by factor * step; returns the energy there, infinity where
  /// the state is not allowed (a triangle inverted or collapsed). May be called again with another factor;
  /// with 0 it goes back.
  virtual double try_step(const Eigen::VectorXd& step, double factor) = 0;
  /// Called after try_step(step, factor) where only a small part of a step lowers the energy: may find a
  /// better place by other means. Returns the energy there, `energy` or less.
  virtual double relieve(const Eigen::VectorXd& step, double factor, double energy) {
    static_cast<void>(step), static_cast<void>(factor);
    return energy;
  }
  /// Called at the start and after each step: may lower the energy around single places by cheaper means than
  /// a step of all unknowns, down to `worth` [J] above the minimum. Returns the energy there, no more than
  /// energy() was, up to rounding.
  virtual double polish(double worth) {
    static_cast<void>(worth);
    return energy();
  }
};

struct NewtonOptions {
  double tolerance = 1e-6;  ///< on the decrement sqrt(stepᵀ H step), as a share of `scale`
  double scale = 1;         ///< [sqrt(J)]
  int max_iterations = 50;
  /// Above 0: once the decrement is below lagged_below * tolerance, steps are found by at most so many
  /// conjugate gradients with the factor of an earlier Hessian; where those do not do, the Hessian is
  /// factorised anew. 0 factorises every time.
  int lagged_iterations = 0;
  double lagged_below = std::numeric_limits<double>::infinity();
  double lagged_tolerance =
      0.05;  ///< error of such a step, as a share of it, both in the norm of the decrement
};

struct NewtonReport {
  bool converged = false;
  int iterations = 0;  ///< steps taken
  int factorizations = 0;
  int lagged_iterations = 0;  ///< conjugate gradients in all
  int cuts = 0;               ///< how often a step was halved
  double decrement = 0;       ///< at the end, as a share of scale
  double energy = 0;          ///< at the end [J]
  std::string reason;         ///< why it did not converge; empty when it did
};

class SparseCholesky;
/// Minimises. `factor` has analysed the pattern, or is analysed here when it is new; it is kept for the next
/// call, which takes nothing but the analysis from it. Each step lowers the energy, up to rounding; a state
/// whose energy is not finite is never accepted. Not converging is a value: the state is then the best one
/// found.
NewtonReport minimize(NewtonProblem& problem, SparseCholesky& factor, const NewtonOptions& options);

}  // namespace cutis
