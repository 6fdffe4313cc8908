#include "cutis/solve/multifrontal_cholesky.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "solve/skin_matrix.h"

namespace cutis::test {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Each pair of unknowns meets with this probability.
Sparse random_matrix(int size, double density, unsigned seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> triplets;
  for (int column = 0; column < size; ++column) {
    triplets.emplace_back(column, column, size);
    for (int row = column + 1; row < size; ++row)
      if (random(0, 1) < density) triplets.emplace_back(row, column, random(-1, 1));
  }
  Sparse lower(size, size);
  lower.setFromTriplets(triplets.begin(), triplets.end());
  return lower;
}

void expect_solution(const Sparse& lower, MultifrontalCholesky& factor) {
  const Eigen::MatrixXd dense = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd b(lower.rows(), 2);
  for (Eigen::Index i = 0; i < b.size(); ++i) b(i) = std::sin(0.7 * static_cast<double>(i) + 1);
  const Eigen::MatrixXd expected = dense.llt().solve(b);
  ASSERT_TRUE(factor.factorize(lower));
  EXPECT_LE((factor.solve(b) - expected).norm(), 1e-12 * expected.norm());
}

/// Supernodes of every width and forests of every shape, from unknowns that never meet to a full matrix.
TEST(MultifrontalCholesky, SolvesMatricesOfAnySizeAndPattern) {
  MultifrontalCholesky factor;
  for (const double density : {0.0, 0.02, 0.1, 0.4, 1.0})
    for (int size = 0; size < 45; ++size) {
      SCOPED_TRACE(testing::Message() << size << " unknowns, density " << density);
      const Sparse lower = random_matrix(size, density, static_cast<unsigned>(size));
      factor.analyze(lower);
      expect_solution(lower, factor);
    }
}

TEST(MultifrontalCholesky, RenewsItsValuesAfterAMatrixThatHasNoFactor) {
  const Mesh mesh = torus(20, 9, 1, 0.4);
  const Sparse good = skin_matrix(mesh, 1);
  MultifrontalCholesky factor;
  factor.analyze(good);
  for (const int column : {0, 50, 359}) {
    Sparse bad = good;
    bad.coeffRef(column, column) = -1;
    EXPECT_FALSE(factor.factorize(bad)) << column;
    expect_solution(good, factor);
    expect_solution(skin_matrix(mesh, 2), factor);
  }
}

}  // namespace
}  // namespace cutis::test
