#pragma once

#include <functional>

#include <Eigen/SparseCore>

namespace cutis {

struct ConjugateGradientOptions {
  double tolerance = 1e-10;  ///< on |residual| / |right side|, both measured by the preconditioner
  int max_iterations = 100;
};

struct ConjugateGradientReport {
  bool converged = false;
  bool indefinite = false;  ///< stopped because A or M showed itself not positive definite
  int iterations = 0;
  double residual = 0;  ///< at the end, as the tolerance has it
};

/// out = A x; out has the right size.
using LinearMap = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& out)>;
/// z = M⁻¹ r for an M near A, positive definite: an old factor of A, say.
using Preconditioner = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// Solves A x = b for a symmetric positive definite A, from the x given (the right size; zero will do). Stops, not converged, at max_iterations or where A or M shows itself not
/// positive definite; x is then the last good one, and finite. Sums run in a fixed order.
ConjugateGradientReport conjugate_gradient(const LinearMap& A, const Eigen::VectorXd& b,
                                           const Preconditioner& precondition, Eigen::VectorXd& x,
                                           const ConjugateGradientOptions& options = {});
/// The same for a matrix given by its lower triangle.
ConjugateGradientReport conjugate_gradient(const Eigen::SparseMatrix<double>& lower, const Eigen::VectorXd& b,
                                           const Preconditioner& precondition, Eigen::VectorXd& x,
                                           const ConjugateGradientOptions& options = {});

}  // namespace cutis
