#include "cutis/solve/block_jacobi_solver.h"

#include <random>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "cutis/solve/block_matrix.h"

namespace cutis {
namespace {

/// A chain of springs between blocks, with masses, whose matrix is positive definite.
BlockMatrix<3> chain(int blocks) {
  ElementBlocks elements;
  for (int i = 0; i < blocks; ++i) elements.push_back({i, (i * 7 + 3) % blocks, (i + 1) % blocks});
  BlockMatrix<3> matrix(blocks, elements);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    Eigen::MatrixXd root(9, 9);
    for (double& x : root.reshaped()) x = normal(random);
    matrix.local(e) = root * root.transpose() + Eigen::MatrixXd::Identity(9, 9);
  }
  matrix.sum();
  return matrix;
}

TEST(BlockJacobiSolver, SolvesAsADenseFactorDoes) {
  const BlockMatrix<3> matrix = chain(40);
  const Eigen::MatrixXd dense = Eigen::MatrixXd(matrix.lower()).selfadjointView<Eigen::Lower>();
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(dense.rows(), -1, 2);
  BlockJacobiSolver solver({1e-12, 1000});
  solver.analyze(matrix.lower());
  ASSERT_TRUE(solver.factorize(matrix.lower()));
  const Eigen::VectorXd exact = dense.llt().solve(b);
  EXPECT_LE((solver.solve(b) - exact).norm(), 1e-9 * exact.norm());
}

TEST(BlockJacobiSolver, TakesCouplingsBesidesThePattern) {
  const BlockMatrix<3> matrix = chain(40);
  Eigen::MatrixXd dense = Eigen::MatrixXd(matrix.lower()).selfadjointView<Eigen::Lower>();
  Mat3 value;
  value << 0.1, 0.2, 0, -0.1, 0.3, 0.1, 0, 0, 0.2;
  const std::vector<BlockCoupling> couplings = {{30, 5, value}};
  dense.block<3, 3>(90, 15) += value;
  dense.block<3, 3>(15, 90) += value.transpose();
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(dense.rows(), -1, 2);
  BlockJacobiSolver solver({1e-12, 1000});
  solver.couple(couplings);
  solver.analyze(matrix.lower());
  ASSERT_TRUE(solver.factorize(matrix.lower()));
  const Eigen::VectorXd exact = dense.llt().solve(b);
  EXPECT_LE((solver.solve(b) - exact).norm(), 1e-9 * exact.norm());
}

TEST(BlockJacobiSolver, RefusesADiagonalThatIsNotPositive) {
  BlockMatrix<3> matrix(2, {{0, 1}});
  matrix.local(0) = -Eigen::MatrixXd::Identity(6, 6);
  matrix.sum();
  BlockJacobiSolver solver({1e-6, 10});
  solver.analyze(matrix.lower());
  EXPECT_FALSE(solver.factorize(matrix.lower()));
  EXPECT_FALSE(solver.factorized());
}

}  // namespace
}  // namespace cutis
