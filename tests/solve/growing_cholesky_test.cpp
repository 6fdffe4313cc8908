#include "cutis/solve/growing_cholesky.h"

#include <gtest/gtest.h>

#include "solve/skin_matrix.h"

namespace cutis::test {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Springs between unknowns that are far from each other, as contacts are.
Sparse with_contacts(Sparse lower, int first) {
  for (int i = first; i < first + 20; ++i) {
    const int other = static_cast<int>(lower.rows()) - 1 - i;
    lower.coeffRef(i, i) += 5;
    lower.coeffRef(other, other) += 5;
    lower.coeffRef(other, i) -= 5;
  }
  lower.makeCompressed();
  return lower;
}

Eigen::MatrixXd solved(GrowingCholesky& cholesky, const Sparse& lower) {
  EXPECT_TRUE(cholesky.factorize(lower));
  return cholesky.solve(Eigen::VectorXd::LinSpaced(lower.rows(), -1, 1));
}

TEST(GrowingCholesky, SolvesPatternsThatComeAndGoWithTheSameBits) {
  const Sparse usual = skin_matrix(torus(30, 12, 1, 0.4), 1);
  const Sparse some = with_contacts(usual, 100), others = with_contacts(usual, 200);
  ASSERT_EQ(some.nonZeros(), others.nonZeros());
  GrowingCholesky straight(Ordering::Best), mixed(Ordering::Best);
  straight.analyze(usual);
  mixed.analyze(usual);
  const Eigen::MatrixXd of_usual = solved(straight, usual), of_others = solved(straight, others);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(usual.rows(), -1, 1);
  EXPECT_LT((others.selfadjointView<Eigen::Lower>() * of_others - b).norm(), 1e-10 * b.norm());
  solved(mixed, some);
  EXPECT_EQ(solved(mixed, others), of_others);
  EXPECT_EQ(solved(mixed, usual), of_usual);
}

TEST(GrowingCholesky, SaysWhereAGrownMatrixIsIndefinite) {
  const Sparse usual = skin_matrix(torus(30, 12, 1, 0.4), 1);
  Sparse indefinite = with_contacts(usual, 0);
  indefinite.coeffRef(0, 0) -= 1e3;
  GrowingCholesky cholesky(Ordering::Best);
  cholesky.analyze(usual);
  EXPECT_TRUE(cholesky.factorize(usual));
  EXPECT_FALSE(cholesky.factorize(indefinite));
  EXPECT_FALSE(cholesky.factorized());
}

}  // namespace
}  // namespace cutis::test
