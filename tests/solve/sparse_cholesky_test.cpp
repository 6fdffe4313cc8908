#include "cutis/solve/sparse_cholesky.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/parallel.h"
#include "solve/skin_matrix.h"

namespace cutis::test {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Eigen::MatrixXd right_sides(Eigen::Index rows, int columns) {
  Random random(5);
  Eigen::MatrixXd b(rows, columns);
  for (double& v : b.reshaped()) v = random(-1, 1);
  return b;
}

class Backends : public testing::TestWithParam<std::pair<CholeskyBackend, Ordering>> {
 protected:
  SparseCholesky make() const { return SparseCholesky(GetParam().second, GetParam().first); }
};

INSTANTIATE_TEST_SUITE_P(SparseCholesky, Backends,
                         testing::Values(std::pair(CholeskyBackend::Best, Ordering::Best),
                                         std::pair(CholeskyBackend::Best, Ordering::Fast),
                                         std::pair(CholeskyBackend::Multifrontal, Ordering::Best)),
                         [](const auto& info) {
                           return std::string(info.param.first == CholeskyBackend::Best ? "Best" : "Multifrontal") +
                                  (info.param.second == Ordering::Best ? "Metis" : "Amd");
                         });

TEST_P(Backends, SolveWhatADenseFactorSolves) {
  const Sparse lower = skin_matrix(sheet(8, 7, 0.3, 1), 2);
  const Eigen::MatrixXd dense = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
  const Eigen::MatrixXd b = right_sides(lower.rows(), 3);
  SparseCholesky cholesky = make();
  cholesky.analyze(lower);
  ASSERT_TRUE(cholesky.factorize(lower));
  const Eigen::MatrixXd expected = dense.llt().solve(b);
  EXPECT_LT((cholesky.solve(b) - expected).norm(), 1e-11 * expected.norm());
  // One column at a time and several at once are the same solution.
  EXPECT_LT((cholesky.solve(b.col(1)) - expected.col(1)).norm(), 1e-11 * expected.norm());
}

TEST_P(Backends, RenewTheirValuesInTheSamePattern) {
  const Mesh mesh = torus(110, 48, 1, 0.4);
  SparseCholesky cholesky = make();
  cholesky.analyze(skin_matrix(mesh, 0));
  for (unsigned seed = 1; seed < 4; ++seed) {
    const Sparse lower = skin_matrix(mesh, seed);
    const Eigen::MatrixXd b = right_sides(lower.rows(), 4);
    ASSERT_TRUE(cholesky.factorize(lower));
    const Eigen::MatrixXd residual = lower.selfadjointView<Eigen::Lower>() * cholesky.solve(b) - b;
    EXPECT_LT(residual.norm(), 1e-10 * b.norm()) << seed;
  }
}

TEST_P(Backends, SayWhenAMatrixIsNotPositiveDefinite) {
  const Sparse good = skin_matrix(torus(110, 48, 1, 0.4), 3);
  const Eigen::MatrixXd b = right_sides(good.rows(), 1);
  SparseCholesky cholesky = make();
  cholesky.analyze(good);
  EXPECT_TRUE(cholesky.analyzed());
  for (const double spoiled : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    Sparse bad = good;
    bad.coeffRef(700, 700) = spoiled;
    EXPECT_FALSE(cholesky.factorize(bad)) << spoiled;
    EXPECT_FALSE(cholesky.factorized());
    ASSERT_TRUE(cholesky.factorize(good));
    EXPECT_TRUE(cholesky.factorized());
    EXPECT_LT((good.selfadjointView<Eigen::Lower>() * cholesky.solve(b) - b).norm(), 1e-10 * b.norm());
  }
}

TEST_P(Backends, AnalyseAnotherPatternAndMove) {
  SparseCholesky first = make();
  first.analyze(skin_matrix(sheet(5, 5, 0.2, 1), 1));
  const Sparse lower = skin_matrix(torus(110, 48, 1, 0.4), 1);
  first.analyze(lower);
  ASSERT_TRUE(first.factorize(lower));
  SparseCholesky second = std::move(first);
  SparseCholesky third = make();
  third = std::move(second);
  const Eigen::MatrixXd b = right_sides(lower.rows(), 1);
  EXPECT_LT((lower.selfadjointView<Eigen::Lower>() * third.solve(b) - b).norm(), 1e-10 * b.norm());
}

/// Below and above the size from which CHOLMOD factorises.
TEST_P(Backends, GiveTheSameBitsAtAnyNumberOfThreads) {
  for (const auto& [n, m] : {std::pair(60, 24), std::pair(120, 46)}) {
    const Sparse lower = skin_matrix(torus(n, m, 1, 0.4), 7);
    const Eigen::MatrixXd b = right_sides(lower.rows(), 2);
    Eigen::MatrixXd expected;
    for (const int count : {1, 2, 3, 1}) {
      set_threads(count);
      SparseCholesky cholesky = make();
      cholesky.analyze(lower);
      ASSERT_TRUE(cholesky.factorize(lower));
      const Eigen::MatrixXd x = cholesky.solve(b);
      if (expected.size() == 0) expected = x;
      EXPECT_EQ(x, expected) << count << " threads, " << lower.rows() << " unknowns";
      // The factor that has been used before gives what the new one gave.
      ASSERT_TRUE(cholesky.factorize(lower));
      EXPECT_EQ(cholesky.solve(b), expected);
    }
    set_threads(0);
  }
}

TEST_P(Backends, TakeTurnsOnSeveralThreads) {
  std::vector<Sparse> matrices;
  std::vector<Eigen::MatrixXd> expected(6), found(6);
  for (unsigned i = 0; i < 6; ++i) matrices.push_back(skin_matrix(torus(102 + 8 * int(i), 50, 1, 0.4), i));
  const auto solve = [&](std::size_t i) {
    SparseCholesky cholesky = make();
    cholesky.analyze(matrices[i]);
    return cholesky.factorize(matrices[i]) ? cholesky.solve(right_sides(matrices[i].rows(), 1))
                                           : Eigen::MatrixXd();
  };
  for (std::size_t i = 0; i < 6; ++i) expected[i] = solve(i);
  parallel_for(
      6, [&](std::size_t i) { found[i] = solve(i); }, 1);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(found[i], expected[i]);
}

TEST(SparseCholesky, SaysWhatItStandsOn) {
  EXPECT_THAT(SparseCholesky::backend(), testing::MatchesRegex("CHOLMOD [0-9]+\\.[0-9]+\\.[0-9]+|multifrontal"));
}

}  // namespace
}  // namespace cutis::test
