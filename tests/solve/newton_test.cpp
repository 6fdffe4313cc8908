#include "cutis/solve/newton.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/solve/sparse_cholesky.h"
#include "solve/skin_matrix.h"

namespace cutis::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// A function of a vector with its derivatives written down; remembers the energies it was accepted with.
class VectorProblem : public NewtonProblem {
 public:
  VectorXd x;
  std::function<double(const VectorXd&)> f;
  std::function<VectorXd(const VectorXd&)> df;
  std::function<MatrixXd(const VectorXd&)> ddf;
  double longest = 1;
  bool exact = false;            ///< whether its Hessian is exact where it can be
  std::vector<double> energies;  ///< at each gradient()

  double energy() override { return f(x); }
  const VectorXd& gradient() override {
    start_ = x;
    energies.push_back(f(x));
    return gradient_ = df(x);
  }
  const Sparse& hessian() override { return exact ? sparse(ddf(start_)) : projected(); }
  const Sparse* modified_hessian(int level) override { return exact && level == 0 ? &projected() : nullptr; }
  double max_step_size(const VectorXd&) override { return longest; }
  double trial(const VectorXd& step, double factor) override {
    x = start_ + factor * step;
    return f(x);
  }

 private:
  const Sparse& projected() {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(ddf(start_));
    return sparse(eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                  eigen.eigenvectors().transpose());
  }
  const Sparse& sparse(const MatrixXd& H) {
    hessian_.resize(H.rows(), H.cols());
    for (int j = 0; j < H.cols(); ++j)
      for (int i = j; i < H.rows(); ++i) hessian_.insert(i, j) = H(i, j);
    hessian_.makeCompressed();
    return hessian_;
  }

  VectorXd start_, gradient_;
  Sparse hessian_;
};

void expect_falling(const std::vector<double>& energies) {
  for (std::size_t i = 1; i < energies.size(); ++i)
    EXPECT_LE(energies[i], energies[i - 1] + 1e-14 * std::abs(energies[i - 1])) << i;
}

VectorProblem quadratic(const MatrixXd& A, const VectorXd& b) {
  VectorProblem problem;
  problem.x = VectorXd::Zero(b.size());
  problem.f = [=](const VectorXd& x) { return 0.5 * x.dot(A * x) - b.dot(x); };
  problem.df = [=](const VectorXd& x) { return VectorXd(A * x - b); };
  problem.ddf = [=](const VectorXd&) { return A; };
  return problem;
}

MatrixXd spd_matrix() {
  return MatrixXd(skin_matrix(sheet(3, 3, 0.2, 1), 4)).selfadjointView<Eigen::Lower>();
}

/// f = (1 - x)² + 100 (y - x²)², from the far side of the bend.
VectorProblem rosenbrock(double x, double y) {
  VectorProblem problem;
  problem.x = Eigen::Vector2d(x, y);
  problem.f = [](const VectorXd& p) { return std::pow(1 - p[0], 2) + 100 * std::pow(p[1] - p[0] * p[0], 2); };
  problem.df = [](const VectorXd& p) {
    const double v = p[1] - p[0] * p[0];
    return VectorXd(Eigen::Vector2d(-2 * (1 - p[0]) - 400 * p[0] * v, 200 * v));
  };
  problem.ddf = [](const VectorXd& p) {
    MatrixXd H(2, 2);
    H << 2 - 400 * (p[1] - 3 * p[0] * p[0]), -400 * p[0], -400 * p[0], 200;
    return H;
  };
  return problem;
}

TEST(Newton, SolvesAQuadraticInOneStep) {
  const MatrixXd A = spd_matrix();
  const VectorXd solution = VectorXd::LinSpaced(A.rows(), -1, 1);
  VectorProblem problem = quadratic(A, A * solution);
  SparseCholesky factor;
  const NewtonReport report = minimize(problem, factor, {});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.factorizations, 2);  // one for the step, one to know that none is left
  EXPECT_LT((problem.x - solution).norm(), 1e-10);
  EXPECT_TRUE(report.reason.empty());
  EXPECT_NEAR(report.energy, -0.5 * solution.dot(A * solution), 1e-12);
}

/// The first decrement squared is twice the energy to gain, exactly for a quadratic.
TEST(Newton, MeasuresByTheDecrement) {
  const MatrixXd A = spd_matrix();
  const VectorXd solution = VectorXd::LinSpaced(A.rows(), -1, 1);
  const double decrement = std::sqrt(solution.dot(A * solution));
  for (const double share : {1.01, 0.99}) {
    VectorProblem problem = quadratic(A, A * solution);
    SparseCholesky factor;
    const NewtonReport report = minimize(problem, factor, {.tolerance = share, .scale = decrement});
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, share > 1 ? 0 : 1);
    EXPECT_NEAR(report.decrement, share > 1 ? 1 : 0, 1e-12);
  }
}

TEST(Newton, FollowsABentValley) {
  for (const auto& [x, y] : {std::pair(-1.2, 1.0), std::pair(0.0, 2.0), std::pair(3.0, -5.0)}) {
    VectorProblem problem = rosenbrock(x, y);
    SparseCholesky factor;
    const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-12});
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LT((problem.x - Eigen::Vector2d(1, 1)).norm(), 1e-11);
    expect_falling(problem.energies);
  }
}

/// f = (x² - 1)² / 4 + y²: without slope at the origin, where it bends down along x.
VectorProblem two_wells(double x, double y) {
  VectorProblem problem;
  problem.exact = true;
  problem.x = Eigen::Vector2d(x, y);
  problem.f = [](const VectorXd& p) { return std::pow(p[0] * p[0] - 1, 2) / 4 + p[1] * p[1]; };
  problem.df = [](const VectorXd& p) {
    return VectorXd(Eigen::Vector2d(p[0] * (p[0] * p[0] - 1), 2 * p[1]));
  };
  problem.ddf = [](const VectorXd& p) {
    return MatrixXd(Eigen::Vector2d(3 * p[0] * p[0] - 1, 2).asDiagonal());
  };
  return problem;
}

TEST(Newton, LeavesASaddlePoint) {
  VectorProblem problem = two_wells(0, 0.3);
  SparseCholesky factor;
  const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-10});
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_EQ(report.saddle_points, 1);
  EXPECT_NEAR(std::abs(problem.x[0]), 1, 1e-8);
  EXPECT_NEAR(problem.x[1], 0, 1e-8);
  // It stays there where that is enough.
  problem.x = Eigen::Vector2d(0, 0.3);
  const NewtonReport stays = minimize(problem, factor, {.tolerance = 1e-10, .leave_saddle_points = false});
  EXPECT_TRUE(stays.converged) << stays.reason;
  EXPECT_EQ(stays.saddle_points, 0);
  EXPECT_NEAR(problem.x.norm(), 0, 1e-8);
}

/// Where the true Hessian is known to be indefinite, its factor need not be tried.
TEST(Newton, BeginsWithTheHessianThatItIsTold) {
  VectorProblem problem = two_wells(0.1, 0.3);
  SparseCholesky factor;
  const NewtonReport tried = minimize(problem, factor, {.tolerance = 1e-10});
  EXPECT_TRUE(tried.converged) << tried.reason;
  EXPECT_EQ(tried.first_level, 1);
  const VectorXd found = problem.x;
  problem.x = Eigen::Vector2d(0.1, 0.3);
  const NewtonReport told = minimize(problem, factor, {.tolerance = 1e-10, .first_level = 1});
  EXPECT_TRUE(told.converged) << told.reason;
  EXPECT_EQ(told.first_level, 1);
  EXPECT_EQ(told.factorizations, tried.factorizations - 1);
  EXPECT_EQ(problem.x, found);
}

TEST(Newton, ShortStepsAreShortAndGetThere) {
  VectorProblem problem = rosenbrock(-1.2, 1);
  problem.longest = 0.5;
  SparseCholesky factor;
  const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-9, .max_iterations = 200});
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_GT(report.iterations, 20);  // the error only halves
  expect_falling(problem.energies);
}

/// x - log x, infinite for x <= 0: full steps from beyond 2 lead there.
TEST(Newton, NeverAcceptsAStateThatIsNotAllowed) {
  for (const double bad :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    VectorProblem problem;
    problem.x = VectorXd::Constant(1, 5);
    problem.f = [=](const VectorXd& x) { return x[0] > 0 ? x[0] - std::log(x[0]) : bad; };
    problem.df = [](const VectorXd& x) { return VectorXd::Constant(1, 1 - 1 / x[0]); };
    problem.ddf = [](const VectorXd& x) { return MatrixXd::Constant(1, 1, 1 / (x[0] * x[0])); };
    SparseCholesky factor;
    const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-10});
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_GT(report.cuts, 0);
    EXPECT_NEAR(problem.x[0], 1, 1e-9);
    expect_falling(problem.energies);
  }
}

/// cos has negative curvature at the start: projected to zero, so only the raised diagonal leads downhill; an
/// exact Hessian is indefinite there and must be left aside until it is not.
TEST(Newton, LeavesAPlaceWithoutCurvature) {
  for (const bool exact : {false, true})
    for (const int lagged : {0, 5}) {
      VectorProblem problem;
      problem.exact = exact;
      problem.x = VectorXd::Constant(2, 0.3);
      problem.f = [](const VectorXd& x) { return std::cos(x[0]) + 0.5 * x[1] * x[1]; };
      problem.df = [](const VectorXd& x) { return VectorXd(Eigen::Vector2d(-std::sin(x[0]), x[1])); };
      problem.ddf = [](const VectorXd& x) {
        return MatrixXd(Eigen::Vector2d(-std::cos(x[0]), 1).asDiagonal());
      };
      SparseCholesky factor;
      const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-9, .lagged_iterations = lagged});
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_NEAR(std::cos(problem.x[0]), -1, 1e-12);
      EXPECT_NEAR(problem.x[1], 0, 1e-8);
      expect_falling(problem.energies);
    }
}

TEST(Newton, SaysWhyItDidNotConverge) {
  SparseCholesky factor;
  VectorProblem slow = rosenbrock(-1.2, 1);
  const NewtonReport few = minimize(slow, factor, {.tolerance = 1e-12, .max_iterations = 3});
  EXPECT_FALSE(few.converged);
  EXPECT_EQ(few.iterations, 3);
  EXPECT_THAT(few.reason, testing::HasSubstr("after 3 iterations"));
  EXPECT_LT(few.energy, slow.energies.front());
  EXPECT_EQ(few.energy, slow.f(slow.x));

  VectorProblem nowhere = rosenbrock(NAN, 1);
  EXPECT_THAT(minimize(nowhere, factor, {}).reason, testing::HasSubstr("energy at the start"));

  VectorProblem broken = rosenbrock(0, 2);
  broken.df = [](const VectorXd&) { return VectorXd(Eigen::Vector2d(NAN, 0)); };
  EXPECT_THAT(minimize(broken, factor, {}).reason, testing::HasSubstr("gradient is not finite"));

  VectorProblem wrong = quadratic(MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 2));
  wrong.df = [df = wrong.df](const VectorXd& x) { return VectorXd(-df(x)); };  // uphill: nothing helps
  SparseCholesky another;
  EXPECT_THAT(minimize(wrong, another, {}).reason, testing::HasSubstr("no step lowers the energy"));
  EXPECT_EQ(wrong.x, VectorXd::Zero(2));
}

/// A quadratic with a quartic on top: the Hessian changes on the way.
VectorProblem quartic(const MatrixXd& A, double pull) {
  VectorProblem problem = quadratic(A, VectorXd::Constant(A.rows(), pull));
  problem.f = [f = problem.f](const VectorXd& x) { return f(x) + 0.05 * x.array().pow(4).sum(); };
  problem.df = [df = problem.df](const VectorXd& x) {
    return VectorXd(df(x).array() + 0.2 * x.array().cube());
  };
  problem.ddf = [A](const VectorXd& x) {
    return MatrixXd(A + MatrixXd((0.6 * x.array().square()).matrix().asDiagonal()));
  };
  return problem;
}

TEST(Newton, MeasuresTheLastDecrementByTheFactorAtHand) {
  const MatrixXd A = spd_matrix();
  VectorProblem plain = quartic(A, 0.3), checked = quartic(A, 0.3);
  SparseCholesky first, second;
  const NewtonReport anew = minimize(plain, first, {.tolerance = 1e-6});
  const NewtonReport by_factor = minimize(checked, second, {.tolerance = 1e-6, .check_by_factor = true});
  EXPECT_TRUE(anew.converged && by_factor.converged);
  EXPECT_EQ(by_factor.factorizations, anew.factorizations - 1);
  EXPECT_EQ(by_factor.iterations, anew.iterations);
  EXPECT_EQ(checked.x, plain.x);
  EXPECT_NEAR(by_factor.decrement, anew.decrement, 0.2 * anew.decrement);
}

TEST(Newton, FollowsChordsWithTheFactorOfAnEarlierCall) {
  const MatrixXd A = spd_matrix();
  VectorProblem before = quartic(A, 0.3), chords = quartic(A, 0.31), newton = quartic(A, 0.31);
  SparseCholesky kept, fresh;
  minimize(before, kept, {.tolerance = 1e-6});
  chords.x = newton.x = before.x;
  const NewtonReport old = minimize(chords, kept, {.tolerance = 1e-6, .keep_factor = true});
  minimize(newton, fresh, {.tolerance = 1e-10});
  EXPECT_TRUE(old.converged) << old.reason;
  EXPECT_EQ(old.factorizations, 0);
  EXPECT_GT(old.chord_steps, 0);
  EXPECT_LE(old.decrement, 1e-6);  // what is left, not what the last step was found at
  const VectorXd off = chords.x - newton.x;
  EXPECT_LE(std::sqrt(off.dot(A * off)), 1e-6);
}

TEST(Newton, GoesOnWithAnOldFactor) {
  const MatrixXd A = spd_matrix();
  const auto make = [&](double pull) { return quartic(A, pull); };
  VectorProblem exact = make(0.3), lagged = make(0.3);
  SparseCholesky fresh, kept;
  const NewtonReport always = minimize(exact, fresh, {.tolerance = 1e-10});
  const NewtonReport sometimes = minimize(lagged, kept, {.tolerance = 1e-10, .lagged_iterations = 12});
  EXPECT_TRUE(always.converged && sometimes.converged) << always.reason << sometimes.reason;
  EXPECT_EQ(always.lagged_iterations, 0);
  EXPECT_LT(sometimes.factorizations, always.factorizations);
  EXPECT_GT(sometimes.lagged_iterations, 0);
  EXPECT_LT((exact.x - lagged.x).norm(), 1e-8);
  expect_falling(lagged.energies);
  // Far from the end only where it is told to.
  VectorProblem late = make(0.3);
  SparseCholesky third;
  const NewtonReport at_last =
      minimize(late, third, {.tolerance = 1e-10, .lagged_iterations = 12, .lagged_below = 1e6});
  EXPECT_TRUE(at_last.converged) << at_last.reason;
  EXPECT_GT(at_last.factorizations, sometimes.factorizations);
  EXPECT_GT(at_last.lagged_iterations, 0);
  EXPECT_LT((exact.x - late.x).norm(), 1e-8);
  // The next call takes nothing from the factor but the order of its unknowns.
  VectorProblem next = make(0.31), anew = make(0.31);
  SparseCholesky fourth;
  minimize(next, kept, {.tolerance = 1e-10, .lagged_iterations = 12});
  minimize(anew, fourth, {.tolerance = 1e-10, .lagged_iterations = 12});
  EXPECT_EQ(next.x, anew.x);
  // Unless it is to: then nothing is factorised for a small change.
  VectorProblem further = make(0.32), apart = make(0.32);
  const NewtonReport with_old =
      minimize(further, kept, {.tolerance = 1e-10, .lagged_iterations = 12, .lagged_from_before = true});
  const NewtonReport without = minimize(apart, fourth, {.tolerance = 1e-10, .lagged_iterations = 12});
  EXPECT_TRUE(with_old.converged) << with_old.reason;
  EXPECT_EQ(with_old.factorizations, 0);
  EXPECT_GT(without.factorizations, 0);
  EXPECT_LT((further.x - apart.x).norm(), 1e-8);
}

/// Conjugate gradients that stop early with a factor that is far off hardly get on.
TEST(Newton, MakesANewFactorWhereAnOldOneIsTooSlow) {
  constexpr int kSize = 100;
  const VectorXd pull = VectorXd::Ones(kSize);
  VectorProblem before = quadratic(MatrixXd::Identity(kSize, kSize), pull);
  VectorProblem after = quadratic(VectorXd::LinSpaced(kSize, 1, 100).asDiagonal(), pull);
  SparseCholesky kept;
  EXPECT_TRUE(minimize(before, kept, {.tolerance = 1e-10}).converged);
  const NewtonReport report = minimize(
      after, kept,
      {.tolerance = 1e-10, .lagged_iterations = 8, .lagged_from_before = true, .lagged_tolerance = 0.9});
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_GT(report.lagged_iterations, 0);
  EXPECT_EQ(report.factorizations, 1);
  EXPECT_LT(report.iterations, 10);
}

TEST(Newton, HasNothingToDoWithoutUnknowns) {
  VectorProblem problem = quadratic(MatrixXd(0, 0), VectorXd(0));
  SparseCholesky factor;
  EXPECT_TRUE(minimize(problem, factor, {}).converged);
}

}  // namespace
}  // namespace cutis::test
