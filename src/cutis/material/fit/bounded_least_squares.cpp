#include "cutis/material/fit/bounded_least_squares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd jacobian(const LeastSquaresProblem& problem, const VectorXd& x, Eigen::Index rows) {
  MatrixXd J(rows, x.size());
  VectorXd forward(rows), backward(rows), at = x;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double h = 1e-6 * (problem.high[k] - problem.low[k]);
    const double above = std::min(x[k] + h, problem.high[k]), below = std::max(x[k] - h, problem.low[k]);
    at[k] = above;
    problem.residuals(at, forward);
    at[k] = below;
    problem.residuals(at, backward);
    at[k] = x[k];
    J.col(k) = (forward - backward) / (above - below);
  }
  return J;
}

/// The damped step of the entries that are free to move; zero for the others.
VectorXd damped_step(const MatrixXd& JtJ, const VectorXd& gradient, const std::vector<bool>& held,
                     double damping) {
  const Eigen::Index n = gradient.size();
  MatrixXd A = JtJ;
  VectorXd right = -gradient;
  for (Eigen::Index k = 0; k < n; ++k) {
    A(k, k) += damping * (JtJ(k, k) + 1e-12);
    if (!held[static_cast<std::size_t>(k)]) continue;
    A.row(k).setZero();
    A.col(k).setZero();
    A(k, k) = 1;
    right[k] = 0;
  }
  return A.ldlt().solve(right);
}

/// Where the digits of i in this base end up when they are mirrored at the point.
double radical_inverse(int i, int base) {
  double value = 0, digit = 1;
  for (; i > 0; i /= base) value += (digit /= base) * (i % base);
  return value;
}

}  // namespace

LeastSquaresResult bounded_least_squares(const LeastSquaresProblem& problem, const VectorXd& start,
                                         int max_iterations) {
  VectorXd x = start.cwiseMax(problem.low).cwiseMin(problem.high), r, next_r;
  problem.residuals(x, r);
  double cost = r.squaredNorm(), damping = 1e-2;
  for (int i = 0; i < max_iterations; ++i) {
    const MatrixXd J = jacobian(problem, x, r.size());
    const VectorXd gradient = J.transpose() * r;
    const MatrixXd JtJ = J.transpose() * J;
    std::vector<bool> held(static_cast<std::size_t>(x.size()));
    for (Eigen::Index k = 0; k < x.size(); ++k)
      held[static_cast<std::size_t>(k)] =
          (x[k] <= problem.low[k] && gradient[k] > 0) || (x[k] >= problem.high[k] && gradient[k] < 0);
    VectorXd next;
    double next_cost = cost;
    for (; damping < 1e12; damping *= 4) {
      next = (x + damped_step(JtJ, gradient, held, damping)).cwiseMax(problem.low).cwiseMin(problem.high);
      problem.residuals(next, next_r);
      next_cost = next_r.squaredNorm();
      if (next_cost < cost) break;
    }
    if (!(next_cost < cost)) break;
    const bool settled = cost - next_cost < 1e-10 * cost;
    x = next;
    r.swap(next_r);
    cost = next_cost;
    damping = std::max(damping / 5, 1e-14);
    if (settled) break;
  }
  return {x, cost};
}

LeastSquaresResult multi_start_least_squares(const LeastSquaresProblem& problem, int starts) {
  constexpr std::array primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  std::vector<LeastSquaresResult> results(static_cast<std::size_t>(starts));
  parallel_for(
      results.size(),
      [&](std::size_t i) {
        VectorXd start(problem.low.size());
        for (Eigen::Index k = 0; k < start.size(); ++k)
          start[k] =
              problem.low[k] + (problem.high[k] - problem.low[k]) *
                                   radical_inverse(static_cast<int>(i) + 1,
                                                   primes[static_cast<std::size_t>(k) % primes.size()]);
        results[i] = bounded_least_squares(problem, start, 25);
      },
      1);
  // A few iterations tell the hopeless from the rest; only the best go all the way.
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  results.resize((results.size() + 3) / 4);
  parallel_for(
      results.size(), [&](std::size_t i) { results[i] = bounded_least_squares(problem, results[i].x, 300); },
      1);
  return *std::min_element(results.begin(), results.end(),
                           [](const auto& a, const auto& b) { return a.cost < b.cost; });
}

}  // namespace cutis
