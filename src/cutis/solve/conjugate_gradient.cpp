#include "cutis/solve/conjugate_gradient.h"

#include <cassert>
#include <cmath>

#include "cutis/core/cancellation.h"

namespace cutis {

ConjugateGradientReport conjugate_gradient(const LinearMap& A, const Eigen::VectorXd& b,
                                           const Preconditioner& precondition, Eigen::VectorXd& x,
                                           const ConjugateGradientOptions& options) {
  assert(x.size() == b.size());
  ConjugateGradientReport report;
  // bᵀ M⁻¹ b is the square of the right side in the norm of the dual, the one a Newton decrement is in.
  const double right = b.dot(precondition(b));
  if (right == 0) {
    x.setZero();
    report.converged = true;
    return report;
  }
  Eigen::VectorXd r = b, Ap(b.size());
  if (!x.isZero(0)) {
    A(x, Ap);
    r -= Ap;
  }
  Eigen::VectorXd z = precondition(r);
  Eigen::VectorXd p = z;
  double rz = r.dot(z);
  for (;; ++report.iterations) {
    check_cancelled();
    report.residual = std::sqrt(rz / right);  // NaN when M is not positive definite
    report.converged = report.residual <= options.tolerance;
    if (report.converged || report.iterations >= options.max_iterations) return report;
    A(p, Ap);
    const double pAp = p.dot(Ap);
    report.indefinite = !(pAp > 0) || !(rz > 0) || !std::isfinite(pAp);
    if (report.indefinite) return report;
    const double alpha = rz / pAp;
    x += alpha * p;
    r -= alpha * Ap;
    z = precondition(r);
    const double rz_next = r.dot(z);
    p = z + (rz_next / rz) * p;
    rz = rz_next;
  }
}

ConjugateGradientReport conjugate_gradient(const Eigen::SparseMatrix<double>& lower, const Eigen::VectorXd& b,
                                           const Preconditioner& precondition, Eigen::VectorXd& x,
                                           const ConjugateGradientOptions& options) {
  assert(lower.rows() == b.size());
  const LinearMap A = [&](const Eigen::VectorXd& from, Eigen::VectorXd& out) {
    out.noalias() = lower.selfadjointView<Eigen::Lower>() * from;
  };
  return conjugate_gradient(A, b, precondition, x, options);
}

}  // namespace cutis
