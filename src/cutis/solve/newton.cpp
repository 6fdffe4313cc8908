#include "cutis/solve/newton.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/solve/conjugate_gradient.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Eigen::VectorXd;

/// A step of which less than this can be taken is blocked by something near one place; after so many in a row
/// going on is slower than starting again from nearer.
constexpr double kShort = 0.02;
constexpr int kShortSteps = 10;
/// A step of which not even so much can be taken is worth a look at what is in its way.
constexpr double kLong = 0.5;

/// Adds to the diagonal, which stands first in each column of a lower triangle.
Sparse shifted(const Sparse& lower, double shift) {
  Sparse result = lower;
  for (int i = 0; i < result.cols(); ++i) {
    const int slot = result.outerIndexPtr()[i];
    assert(result.innerIndexPtr()[slot] == i);
    result.valuePtr()[slot] += shift;
  }
  return result;
}

class Minimizer {
 public:
  Minimizer(NewtonProblem& problem, SparseCholesky& factor, const NewtonOptions& options)
      : problem_(problem), factor_(factor), options_(options) {}

  NewtonReport run() {
    report_.energy = problem_.energy();
    if (!std::isfinite(report_.energy)) return failed("the energy at the start is not finite");
    polish();
    for (;; ++report_.iterations) {
      const VectorXd& gradient = problem_.gradient();
      if (gradient.size() == 0) break;
      if (!gradient.allFinite()) return failed("the gradient is not finite");
      if (!find_step(gradient)) return failed("the Hessian cannot be factorised");
      const double slope = gradient.dot(step_);  // -stepᵀ H step
      report_.decrement = std::sqrt(std::max(0.0, -slope)) / options_.scale;
      if (std::exchange(indefinite_, false)) retry_below_ = 0.3 * report_.decrement;
      if (report_.decrement <= options_.tolerance) break;
      if (report_.iterations == options_.max_iterations)
        return failed(fmt::format("not converged after {} iterations: the decrement is {:.3g}, above {:.3g}",
                                  report_.iterations, report_.decrement, options_.tolerance));
      if (!take_step(slope))
        return failed(fmt::format("no step lowers the energy any more: the decrement is {:.3g}, above {:.3g}",
                                  report_.decrement, options_.tolerance));
      if (short_steps_ == kShortSteps)
        return failed(
            fmt::format("{} steps in a row were hardly taken: the decrement is {:.3g}, above {:.3g}",
                        short_steps_, report_.decrement, options_.tolerance));
    }
    report_.converged = true;
    return report_;
  }

 private:
  NewtonReport failed(std::string reason) {
    report_.reason = std::move(reason);
    return report_;
  }

  void polish() {
    const double rest = options_.tolerance * options_.scale;
    report_.energy = problem_.polish(0.5 * rest * rest);
  }

  /// Where the true Hessian turned out indefinite it will be so for a while: it is tried again once the
  /// decrement has fallen well below where that was.
  bool find_step(const VectorXd& gradient) {
    if (report_.decrement <= retry_below_) {
      const Sparse& hessian = problem_.hessian();
      const Lagged lagged = lagged_step(gradient, hessian);
      if (lagged == Lagged::Found) return true;
      if (lagged == Lagged::TooSlow && factorize(hessian) && solve(gradient)) return true;
      indefinite_ = true;
    }
    const Sparse* hessian = nullptr;
    for (int attempt = 0; const Sparse* definite = problem_.definite_hessian(attempt); ++attempt) {
      hessian = definite;
      if (lagged_step(gradient, *hessian) == Lagged::Found) return true;
      if (factorize(*hessian) && solve(gradient)) return true;
    }
    return factorize_raised(hessian ? *hessian : problem_.hessian()) && solve(gradient);
  }

  enum class Lagged { Found, TooSlow, Indefinite };

  /// From zero, conjugate gradients go downhill wherever they stop: -gradient · step = stepᵀ H step.
  Lagged lagged_step(const VectorXd& gradient, const Sparse& hessian) {
    const bool near = report_.decrement <= options_.lagged_below * options_.tolerance;
    if (options_.lagged_iterations <= 0 || report_.factorizations == 0 || !factor_.factorized() || !near)
      return Lagged::TooSlow;
    step_ = VectorXd::Zero(gradient.size());
    const auto old_factor = [this](const VectorXd& r) { return VectorXd(factor_.solve(r)); };
    const auto found = conjugate_gradient(hessian, -gradient, old_factor, step_,
                                          {options_.lagged_tolerance, options_.lagged_iterations});
    report_.lagged_iterations += found.iterations;
    if (found.indefinite || !step_.allFinite()) return Lagged::Indefinite;
    return found.converged ? Lagged::Found : Lagged::TooSlow;
  }

  bool factorize(const Sparse& hessian) {
    if (!factor_.analyzed()) factor_.analyze(hessian);
    ++report_.factorizations;
    return factor_.factorize(hessian);
  }

  /// A positive semi-definite Hessian may be singular (nothing holds a vertex): the diagonal is then raised
  /// until it is not.
  bool factorize_raised(const Sparse& hessian) {
    if (factorize(hessian)) return true;
    const double largest = hessian.diagonal().cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    // A Hessian of zeros has no scale of its own.
    for (double share = 1e-10; share < 10; share *= 100)
      if (factorize(shifted(hessian, share * (largest > 0 ? largest : 1)))) return true;
    return false;
  }

  bool solve(const VectorXd& gradient) {
    step_ = -factor_.solve(gradient);
    return step_.allFinite();
  }

  /// Backtracking with Armijo's rule. Near the minimum a step changes the energy by less than the rounding of
  /// its sum while the gradient still shows the way, so that much is forgiven.
  bool take_step(double slope) {
    constexpr double armijo = 1e-4, smallest = 1e-12;
    const double rounding = 64 * std::numeric_limits<double>::epsilon() * std::abs(report_.energy);
    double factor = problem_.longest_step(step_);
    assert(factor > 0 && factor <= 1);
    for (; factor > smallest; factor /= 2, ++report_.cuts) {
      const double energy = problem_.try_step(step_, factor);
      if (std::isfinite(energy) && energy <= report_.energy + armijo * factor * slope + rounding) {
        report_.energy = factor < kLong ? problem_.relieve(step_, factor, energy) : energy;
        short_steps_ = factor < kShort ? short_steps_ + 1 : 0;
        polish();
        return true;
      }
    }
    problem_.try_step(step_, 0);
    return false;
  }

  NewtonProblem& problem_;
  SparseCholesky& factor_;
  const NewtonOptions& options_;
  NewtonReport report_;
  VectorXd step_;
  int short_steps_ = 0;                                           ///< taken in a row
  bool indefinite_ = false;                                       ///< the true Hessian, in this iteration
  double retry_below_ = std::numeric_limits<double>::infinity();  ///< of the decrement
};

}  // namespace

NewtonReport minimize(NewtonProblem& problem, SparseCholesky& factor, const NewtonOptions& options) {
  return Minimizer(problem, factor, options).run();
}

}  // namespace cutis
