#pragma once

#include <functional>

#include <Eigen/Core>

namespace cutis {

struct LeastSquaresProblem {
  /// Fills the residuals at x; their number never changes.
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& residuals)> residuals;
  Eigen::VectorXd low, high;  ///< low < high in every entry
};

struct LeastSquaresResult {
  Eigen::VectorXd x;
  double cost = 0;  ///< sum of squared residuals
};

/// Levenberg-Marquardt within bounds: entries at a bound that the step would leave are held there.
/// Derivatives by central differences. A local minimum near `start`; where it ends depends on nothing else.
LeastSquaresResult bounded_least_squares(const LeastSquaresProblem& problem, const Eigen::VectorXd& start,
                                         int max_iterations);

/// The best of `starts` runs from points spread evenly through the box (a Halton sequence): the same every
/// time.
LeastSquaresResult multi_start_least_squares(const LeastSquaresProblem& problem, int starts);

}  // namespace cutis
