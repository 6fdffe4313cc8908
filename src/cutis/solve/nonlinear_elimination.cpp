#include "cutis/solve/nonlinear_elimination.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/solve/line_search.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {
namespace {

using Eigen::VectorXd;

/// Rings of blocks that a subdomain reaches around those it is for, since these move their neighbours.
constexpr int kGrownRings = 2;
/// Blocks of the largest subdomain: more are a matter for steps of all unknowns.
constexpr std::size_t kMaxSubdomainBlocks = 1000;

/// Excess over the second-order model that is left alone, as a share of the decrease that the slope promises.
constexpr double kAllowedExcess = 0.25;

/// Blocks are selected until they hold all but this share of the sum of local decrements...
constexpr double kUnselectedDecrement = 0.05;
/// ... or until they are so many: a subdomain around each costs a few per cent of a step of all unknowns.
constexpr std::size_t kMaxSelectedBlocks = 60;
/// Where more than this share is left unselected, the decrement is spread over all and a matter for steps of
/// all unknowns.
constexpr double kSpreadDecrement = 0.6;
/// Rounds of selecting and solving after one step of all unknowns.
constexpr int kMaxRounds = 6;
/// A sum of decrements below this share of the energy is lost in its rounding.
constexpr double kDecrementRounding = 1e-12;
/// A round that lowers the energy by less than this share of the decrements is the last.
constexpr double kMinGain = 0.1;

/// Newton steps in one subdomain; it is left where they lead.
constexpr int kMaxSubdomainSteps = 20;
/// A subdomain is solved for until its decrement has fallen to this share of the first: what is around it
/// will move it again.
constexpr double kSubdomainTolerance = 0.1;
/// A subdomain in which no larger factor of a step lowers the energy is left to steps of all unknowns.
constexpr double kMinSubdomainStep = 0.5e-6;

/// Newton's method for the few unknowns of a subdomain, with the exact Hessian or else the first modified
/// one.
class SubdomainSolve {
 public:
  explicit SubdomainSolve(NewtonProblem& problem) : problem_(problem) {}

  void run() {
    double energy = problem_.energy(), first_slope = 0;
    for (int i = 0; i < kMaxSubdomainSteps; ++i) {
      const VectorXd& gradient = problem_.gradient();
      if (!find_step(problem_.hessian(), gradient)) {
        const auto* modified = problem_.modified_hessian(0);
        if (!modified || !find_step(*modified, gradient)) return;
      }
      const double slope = gradient.dot(step_);
      if (i == 0) first_slope = slope;
      if (slope >= kSubdomainTolerance * kSubdomainTolerance * first_slope) return;
      const LineSearchResult found =
          backtrack({energy, slope, problem_.max_step_size(step_), kMinSubdomainStep},
                    [&](double factor) { return problem_.trial(step_, factor); });
      if (!(found.energy < energy)) {
        problem_.trial(step_, 0);
        return;
      }
      energy = found.energy;
    }
  }

 private:
  bool find_step(const Eigen::SparseMatrix<double>& hessian, const VectorXd& gradient) {
    if (!factor_.analyzed()) factor_.analyze(hessian);
    if (!factor_.factorize(hessian)) return false;
    step_ = factor_.solve(-gradient);
    return step_.allFinite();
  }

  NewtonProblem& problem_;
  /// CHOLMOD's calls take turns, and subdomains are solved in parallel.
  SparseCholesky factor_{Ordering::Fast, CholeskyBackend::Multifrontal};
  VectorXd step_;
};

}  // namespace

double NonlinearElimination::solve(const std::vector<Subdomain>& list) {
  problem_.begin_subdomains();
  parallel_for(
      list.size(), [&](std::size_t i) { SubdomainSolve(*problem_.subdomain(list[i])).run(); }, 1);
  return problem_.end_subdomains();
}

double NonlinearElimination::eliminate_largest(double worth) {
  problem_.gradient();
  double energy = problem_.energy();
  std::vector<double> decrements(problem_.graph().block_count());
  parallel_for(decrements.size(), [&](std::size_t i) { decrements[i] = problem_.local_decrement(i); });
  for (int round = 0; round < kMaxRounds; ++round) {
    const double sum = std::accumulate(decrements.begin(), decrements.end(), 0.0);
    if (sum < worth || sum < kDecrementRounding * std::abs(energy)) break;
    const std::vector<Subdomain> list = select_subdomains(decrements);
    if (list.empty()) break;
    const double before = std::exchange(energy, solve(list));
    const Subdomain changed = problem_.graph().with_halo(list);
    problem_.reassemble(changed);
    for (std::size_t block : changed.blocks) decrements[block] = problem_.local_decrement(block);
    if (before - energy < kMinGain * sum) break;
  }
  return energy;
}

/// Around the blocks with the largest local decrements; none where these are spread over many.
std::vector<Subdomain> NonlinearElimination::select_subdomains(const std::vector<double>& decrements) const {
  std::vector<std::size_t> order(decrements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(kMaxSelectedBlocks, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return decrements[a] != decrements[b] ? decrements[a] > decrements[b] : a < b;
  });
  const double sum = std::accumulate(decrements.begin(), decrements.end(), 0.0);
  double left = sum;
  std::vector<char> selected(decrements.size(), 0);
  for (auto i = order.begin(); i != end && left > kUnselectedDecrement * sum; ++i) {
    left -= decrements[*i];
    selected[*i] = 1;
  }
  if (left > kSpreadDecrement * sum) return {};
  return problem_.graph().subdomains(problem_.graph().grown(std::move(selected), kGrownRings),
                                     kMaxSubdomainBlocks);
}

double NonlinearElimination::eliminate_excess(const VectorXd& gradient, const VectorXd& step, double factor,
                                              double energy) {
  problem_.save_state();
  const double largest = problem_.max_step_size(step);
  problem_.trial(step, largest);
  VectorXd mixed = largest * step;
  const std::vector<Subdomain> list = select_subdomains(gradient, mixed);
  const Eigen::Index n = problem_.block_size();
  for (const Subdomain& part : list)
    for (std::size_t block : part.blocks) {
      const Eigen::Index row = n * static_cast<Eigen::Index>(block);
      mixed.segment(row, n) = factor * step.segment(row, n);
    }
  // The largest allowed step outside of the subdomains, or else the one that was found.
  if (std::isfinite(problem_.trial(mixed, 1)))
    if (const double there = solve(list); there <= energy) return there;
  problem_.restore_state();
  if (const double there = solve(list); there <= energy) return there;
  problem_.restore_state();
  return energy;
}

/// Around the stencils that are furthest above their model, until the rest fits it.
std::vector<Subdomain> NonlinearElimination::select_subdomains(const VectorXd& gradient,
                                                               const VectorXd& step) const {
  const StencilGraph& graph = problem_.graph();
  std::vector<std::pair<double, std::size_t>> worst;
  double sum = 0;
  for (std::size_t stencil = 0; stencil < graph.stencil_count(); ++stencil) {
    double excess = problem_.model_excess(stencil, step);
    if (std::isnan(excess)) excess = std::numeric_limits<double>::infinity();
    if (excess <= 0) continue;
    worst.emplace_back(excess, stencil);
    if (std::isfinite(excess)) sum += excess;
  }
  std::sort(worst.begin(), worst.end(), std::greater<>());
  std::vector<char> selected(graph.block_count(), 0);
  const double allowed = kAllowedExcess * -gradient.dot(step);
  for (const auto& [excess, stencil] : worst) {
    if (std::isfinite(excess)) {
      if (sum <= allowed) break;
      sum -= excess;
    }
    for (const int block : graph.stencils()[stencil])
      if (block >= 0) selected[static_cast<std::size_t>(block)] = 1;
  }
  return graph.subdomains(graph.grown(std::move(selected), kGrownRings), kMaxSubdomainBlocks);
}

}  // namespace cutis
