#include "cutis/solve/newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/cancellation.h"
#include "cutis/solve/conjugate_gradient.h"
#include "cutis/solve/line_search.h"
#include "cutis/solve/nonlinear_elimination.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Eigen::VectorXd;

/// A step of which less than this share can be taken is stopped by something near one place.
constexpr double kShortStepSize = 0.02;
/// A step of which less than this share can be taken is worth looking for the places that stop it.
constexpr double kEliminateBelowStepSize = 0.5;
/// Steps with an old factor, and the share of the decrement before that each may leave: Newton's method is
/// cheaper beyond.
constexpr int kMaxChordSteps = 8;
constexpr double kChordContraction = 0.4;
/// A decrement of so many tolerances is worth a look by the same factor after the step.
constexpr double kCheckBelow = 200;
/// A step of which not even this share lowers the energy is given up.
constexpr double kMinStepSize = 1e-12;
/// Rounding of the energy's sum, as a share of it.
constexpr double kEnergyRounding = 64 * std::numeric_limits<double>::epsilon();
/// Where the Hessian was indefinite it is tried again once the decrement has fallen to this share.
constexpr double kRetryExactHessian = 0.3;
/// Where a step took this level of the modified Hessians or a higher one, the next begins one level below
/// it: negative curvature goes slowly, and lower levels would have no factor. Low levels are worth trying.
constexpr int kRememberedLevel = 2;
/// Conjugate gradients with an old factor that leave more than this share of the decrement, where Newton's
/// method is quadratic, were not worth their time: a new factor is made.
constexpr double kLaggedContraction = 0.7;
/// Saddle points that are left along negative curvature before a solve counts as failed.
constexpr int kMaxSaddlePoints = 5;
/// Steps of the power iteration that looks for negative curvature.
constexpr int kCurvatureIterations = 20;

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
  Minimizer(NewtonProblem& problem, LinearSolver& solver, const NewtonOptions& options,
            NonlinearElimination* elimination)
      : problem_(problem), solver_(solver), options_(options), elimination_(elimination) {}

  NewtonReport run() {
    report_.energy = problem_.energy();
    if (!std::isfinite(report_.energy)) return failed_without_step("the energy at the start is not finite");
    if (follow_chords()) return converged();
    eliminate_largest();
    // What stopped the old factor is often a few places, which are solved for now.
    if (follow_chords()) return converged();
    for (;; ++report_.iterations) {
      check_cancelled();
      const VectorXd& gradient = problem_.gradient();
      if (gradient.size() == 0) break;
      if (!gradient.allFinite()) return failed_without_step("the gradient is not finite");
      const bool lagged_before = std::exchange(lagged_, false);
      if (!find_step(gradient)) return failed_without_step("the Hessian cannot be factorised");
      const double slope = gradient.dot(step_);  // -stepᵀ H step
      const double before =
          std::exchange(report_.decrement, std::sqrt(std::max(0.0, -slope)) / options_.scale);
      factor_is_too_old_ =
          lagged_before && lagged_ && !modified_ && report_.decrement > kLaggedContraction * before;
      if (std::exchange(indefinite_, false)) retry_below_ = kRetryExactHessian * report_.decrement;
      if (report_.decrement <= options_.tolerance) {
        if (options_.take_last_step && report_.decrement > 0) take_step(gradient, slope);
        if (!leave_saddle_point()) break;
        if (++report_.saddle_points > kMaxSaddlePoints)
          return failed("it comes from saddle point to saddle point");
        continue;
      }
      if (report_.iterations >= options_.max_iterations)
        return failed(fmt::format("not converged after {} iterations: the decrement is {:.3g}, above {:.3g}",
                                  report_.iterations, report_.decrement, options_.tolerance));
      if (!take_step(gradient, slope))
        return failed(fmt::format("no step lowers the energy any more: the decrement is {:.3g}, above {:.3g}",
                                  report_.decrement, options_.tolerance));
      if (short_steps_ == options_.max_short_steps)
        return failed(
            fmt::format("{} steps in a row were hardly taken: the decrement is {:.3g}, above {:.3g}",
                        short_steps_, report_.decrement, options_.tolerance));
      if (checked_) {
        ++report_.iterations;
        break;
      }
    }
    return converged();
  }

 private:
  NewtonReport converged() {
    report_.converged = true;
    report_.definite = report_.factorizations > 0 && !modified_;
    return report_;
  }

  NewtonReport failed(std::string reason) {
    report_.reason = std::move(reason);
    return report_;
  }

  NewtonReport failed_without_step(std::string reason) {
    report_.decrement = std::numeric_limits<double>::infinity();
    return failed(std::move(reason));
  }

  /// With the factor of an earlier call. What is left after a step is taken to shrink as the steps do. False
  /// where that is too slow or a step cannot be taken whole: the state is then that of the last step.
  bool follow_chords() {
    if (!options_.keep_factor || !solver_.factorized()) return false;
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMaxChordSteps; ++i) {
      const VectorXd& gradient = problem_.gradient_alone();
      if (gradient.size() == 0) return true;
      if (!gradient.allFinite() || !solve_by_old_factor(gradient)) return false;
      const double slope = gradient.dot(step_);
      report_.decrement = std::sqrt(std::max(0.0, -slope)) / options_.scale;
      const double share = report_.decrement / before;
      if (i > 0 && !(share <= kChordContraction)) return false;
      if (report_.decrement <= options_.tolerance) return true;
      if (problem_.max_step_size(step_) < 1) return false;
      const LineSearchResult found = search(slope);
      if (!found.decreases) return false;
      report_.energy = found.energy;
      ++report_.iterations;
      ++report_.chord_steps;
      if (found.step_size < 1) return false;
      before = std::exchange(report_.decrement, report_.decrement * (i > 0 ? share : kChordContraction));
      if (report_.decrement <= options_.tolerance) return true;
    }
    return false;
  }

  void eliminate_largest() {
    if (!elimination_) return;
    const double allowed = options_.tolerance * options_.scale;
    report_.energy = elimination_->eliminate_largest(0.5 * allowed * allowed);
  }

  /// Where the true Hessian turned out indefinite it will be so for a while: it is tried again once the
  /// decrement has fallen well below where that was.
  bool find_step(const VectorXd& gradient) {
    const int first_level = report_.iterations == 0 ? options_.first_level : 0;
    if (first_level == 0 && report_.decrement <= retry_below_) {
      const Sparse& hessian = problem_.hessian();
      const Lagged lagged = lagged_step(gradient, hessian);
      if (lagged == Lagged::Found) return true;
      if (lagged == Lagged::TooSlow && factorize(hessian) && solve(gradient)) {
        modified_ = false;
        return true;
      }
      indefinite_ = true;
    }
    indefinite_ = indefinite_ || first_level > 0;
    const int remembered = last_level_ >= kRememberedLevel ? last_level_ - 1 : 0;
    return find_modified_step(gradient, std::max(first_level - 1, remembered));
  }

  /// Where conjugate gradients meet negative curvature no factor exists, and an old one is too far off for
  /// the next Hessian, too.
  bool find_modified_step(const VectorXd& gradient, int first = 0) {
    const Sparse* hessian = nullptr;
    bool skipped = false;
    Lagged lagged = Lagged::TooSlow;
    for (int level = first; const Sparse* modified = problem_.modified_hessian(level); ++level) {
      hessian = modified;
      modified_ = true;
      last_level_ = level;
      if (report_.iterations == 0) report_.first_level = level + 1;
      const bool lag = lagged != Lagged::Indefinite;
      if (lag) lagged = lagged_step(gradient, *hessian);
      if (lagged == Lagged::Found) return true;
      skipped = lag && lagged == Lagged::Indefinite;
      if (skipped) continue;
      if (factorize(*hessian) && solve(gradient)) return true;
    }
    // The last one was not factorised where conjugate gradients met negative curvature.
    const bool has_failed = hessian && !skipped;
    if (!hessian) hessian = &problem_.hessian();
    return ((!has_failed && factorize(*hessian)) || factorize_raised(*hessian)) && solve(gradient);
  }

  enum class Lagged { Found, TooSlow, Indefinite };

  /// From zero, conjugate gradients go downhill wherever they stop: -gradient · step = stepᵀ H step.
  Lagged lagged_step(const VectorXd& gradient, const Sparse& hessian) {
    const bool near = report_.decrement <= options_.lagged_below * options_.tolerance;
    const bool own = report_.factorizations > 0 || options_.lagged_from_before;
    if (options_.lagged_iterations <= 0 || !own || !solver_.factorized() || !near || factor_is_too_old_)
      return Lagged::TooSlow;
    step_ = VectorXd::Zero(gradient.size());
    const auto old_factor = [this](const VectorXd& r) { return by_old_factor(r); };
    const auto found = conjugate_gradient(hessian, -gradient, old_factor, step_,
                                          {options_.lagged_tolerance, options_.lagged_iterations});
    report_.lagged_iterations += found.iterations;
    if (found.indefinite || !step_.allFinite()) return Lagged::Indefinite;
    lagged_ = found.converged;
    return found.converged ? Lagged::Found : Lagged::TooSlow;
  }

  bool factorize(const Sparse& hessian) {
    if (!solver_.analyzed()) solver_.analyze(hessian);
    ++report_.factorizations;
    problem_.keep_axes();
    return solver_.factorize(hessian);
  }

  /// A positive semi-definite Hessian that has no factor is singular (nothing holds a vertex): the diagonal
  /// is raised until it is not.
  bool factorize_raised(const Sparse& hessian) {
    const double largest = hessian.diagonal().cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    // A Hessian of zeros has no scale of its own.
    for (double share = 1e-10; share < 10; share *= 100)
      if (factorize(shifted(hessian, share * (largest > 0 ? largest : 1)))) return true;
    return false;
  }

  bool solve(const VectorXd& gradient) {
    step_ = -solver_.solve(gradient);
    return step_.allFinite();
  }

  VectorXd by_old_factor(const VectorXd& gradient) const {
    return problem_.from_kept_axes(solver_.solve(problem_.to_kept_axes(gradient)));
  }

  bool solve_by_old_factor(const VectorXd& gradient) {
    step_ = -by_old_factor(gradient);
    return step_.allFinite();
  }

  /// Along the step, from where the last gradient was taken; back there where nothing lowers the energy.
  LineSearchResult search(double slope) {
    const double largest = problem_.max_step_size(step_);
    assert(largest > 0 && largest <= 1);
    const LineSearchResult found =
        backtrack({report_.energy, slope, largest, kMinStepSize, kEnergyRounding * std::abs(report_.energy)},
                  [&](double factor) { return problem_.trial(step_, factor); });
    report_.cuts += found.cuts;
    if (!found.decreases) problem_.trial(step_, 0);
    return found;
  }

  /// The gradient is that of the last gradient(), which the problem keeps.
  bool take_step(const VectorXd& gradient, double slope) {
    const LineSearchResult found = search(slope);
    if (!found.decreases) return false;
    report_.energy = found.energy;
    if (elimination_ && found.step_size < kEliminateBelowStepSize)
      report_.energy = elimination_->eliminate_excess(gradient, step_, found.step_size, found.energy);
    short_steps_ = found.step_size < kShortStepSize ? short_steps_ + 1 : 0;
    checked_ = found.step_size == 1 && check_by_factor();
    if (!checked_) eliminate_largest();
    return true;
  }

  /// Near the minimum a whole step leaves so little that the factor it was found with can tell: a gradient in
  /// place of a gradient, a Hessian and its factor.
  bool check_by_factor() {
    if (!options_.check_by_factor || modified_ || report_.decrement > kCheckBelow * options_.tolerance)
      return false;
    const VectorXd& gradient = problem_.gradient_alone();
    const double left = gradient.dot(by_old_factor(gradient));
    if (!(left >= 0 && std::sqrt(left) <= options_.tolerance * options_.scale)) return false;
    report_.decrement = std::sqrt(left) / options_.scale;
    return true;
  }

  /// A gradient of nothing may be that of a saddle point: the true Hessian must be definite. Where it is not,
  /// goes on along its negative curvature; whether it did.
  bool leave_saddle_point() {
    if (!modified_ || !options_.leave_saddle_points) return false;
    problem_.trial(step_, 0);
    const VectorXd gradient = problem_.gradient();
    const Sparse hessian = problem_.hessian();
    if (factorize(hessian)) {
      modified_ = false;
      return false;
    }
    if (!find_modified_step(gradient)) return false;
    step_ = negative_curvature(hessian);
    if (!(step_.dot(hessian.selfadjointView<Eigen::Lower>() * step_) < 0)) return false;
    if (gradient.dot(step_) > 0) step_ = -step_;
    return take_curved_step();
  }

  /// Along the least eigenvalue of M⁻¹ H, M the modified Hessian that is factorised: M - H has none below
  /// zero, so that of I - M⁻¹ H is the largest, which the power method finds.
  VectorXd negative_curvature(const Sparse& hessian) const {
    VectorXd v(hessian.rows());
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = std::sin(1.0 + 7.0 * static_cast<double>(i));
    for (int i = 0; i < kCurvatureIterations; ++i) {
      v -= solver_.solve(VectorXd(hessian.selfadjointView<Eigen::Lower>() * v));
      v /= v.cwiseAbs().maxCoeff();
    }
    return v;
  }

  /// As far as the problem allows and the energy falls, from a place without slope.
  bool take_curved_step() {
    step_ *= problem_.max_step_size(step_);
    const double rounding = kEnergyRounding * std::abs(report_.energy);
    for (double factor = 1; factor > kMinStepSize; factor /= 2) {
      const double energy = problem_.trial(step_, factor);
      if (!(energy < report_.energy - rounding)) continue;
      report_.energy = energy;
      retry_below_ = std::numeric_limits<double>::infinity();
      eliminate_largest();
      return true;
    }
    problem_.trial(step_, 0);
    return false;
  }

  NewtonProblem& problem_;
  LinearSolver& solver_;
  const NewtonOptions& options_;
  NonlinearElimination* elimination_;
  NewtonReport report_;
  VectorXd step_;
  int last_level_ = 0;       ///< of the modified Hessian that gave the last step
  int short_steps_ = 0;      ///< taken in a row
  bool indefinite_ = false;  ///< the true Hessian, in this iteration
  bool checked_ = false;     ///< the last step led to where the decrement is within the tolerance
  bool lagged_ = false;      ///< the last step was found with an old factor
  bool factor_is_too_old_ = false;
  bool modified_ = false;  ///< whether the last factor is that of a modified Hessian
  double retry_below_ = std::numeric_limits<double>::infinity();  ///< of the decrement
};

}  // namespace

NewtonReport minimize(NewtonProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                      NonlinearElimination* elimination) {
  return Minimizer(problem, solver, options, elimination).run();
}

}  // namespace cutis
