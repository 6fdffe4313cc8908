#pragma once

#include <Eigen/SparseCore>

namespace cutis {

/// What Newton's method minimises: an energy over a state that need not be a vector space (skin on a curved
/// body), with unknowns that are coordinates around the present state.
class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  /// Energy at the present state [J].
  virtual double energy() = 0;
  /// At the present state, from which trials then start.
  virtual const Eigen::VectorXd& gradient() = 0;
  /// The same where no one will ask for hessian(), which may cost less.
  virtual const Eigen::VectorXd& gradient_alone() { return gradient(); }
  /// Lower triangle, compressed, with the whole diagonal in it, always of a pattern that the solver takes;
  /// positive semi-definite unless there is a modified_hessian(). Taken where gradient() was.
  virtual const Eigen::SparseMatrix<double>& hessian() = 0;
  /// Asked for where hessian() is not positive definite: others at the same place and of the same pattern,
  /// the closer to definite the higher `level`, which counts from 0; null when there is no further one. A
  /// problem that has such gives the true second derivative as hessian(), which converges quadratically where
  /// a projected one converges slowly.
  virtual const Eigen::SparseMatrix<double>* modified_hessian(int level) {
    static_cast<void>(level);
    return nullptr;
  }
  /// The largest factor (0..1] by which `step` may be taken from here: the local edge length, say.
  virtual double max_step_size(const Eigen::VectorXd& step) = 0;
  /// Moves from the state of the last gradient() by factor * step; returns the energy there, infinity where
  /// the state is not allowed (a triangle inverted or collapsed). May be called again with another factor;
  /// with 0 it goes back.
  virtual double trial(const Eigen::VectorXd& step, double factor) = 0;

  /// Unknowns may be coordinates in axes that turn as the state moves; a factor knows those of its own
  /// Hessian. Keeps the axes where the last gradient was taken for the factor that is made there; takes a
  /// gradient of another state to them, and a step back.
  virtual void keep_axes() {}
  virtual Eigen::VectorXd to_kept_axes(const Eigen::VectorXd& gradient) const { return gradient; }
  virtual Eigen::VectorXd from_kept_axes(const Eigen::VectorXd& step) const { return step; }
};

}  // namespace cutis
