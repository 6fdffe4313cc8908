#include "cutis/solve/conjugate_gradient.h"

#include <gtest/gtest.h>

#include "cutis/solve/sparse_cholesky.h"
#include "solve/skin_matrix.h"

namespace cutis::test {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Eigen::VectorXd random_vector(Eigen::Index size) {
  Random random(3);
  Eigen::VectorXd b(size);
  for (double& v : b) v = random(-1, 1);
  return b;
}

Preconditioner nothing() {
  return [](const Eigen::VectorXd& r) { return r; };
}

TEST(ConjugateGradient, EndsAfterAsManyStepsAsThereAreEigenvalues) {
  Sparse lower(50, 50);
  for (int i = 0; i < 50; ++i) lower.insert(i, i) = 1 + i % 4;
  const Eigen::VectorXd b = random_vector(50);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(50);
  const auto report = conjugate_gradient(lower, b, nothing(), x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 4);
  for (int i = 0; i < 50; ++i) EXPECT_NEAR(x[i], b[i] / (1 + i % 4), 1e-13);
}

TEST(ConjugateGradient, AnOldFactorIsAGoodPreconditioner) {
  const Mesh mesh = torus(40, 16, 1, 0.4);
  const Sparse old = skin_matrix(mesh, 1);
  Sparse now = old;
  now += 0.05 * skin_matrix(mesh, 2);
  SparseCholesky factor;
  factor.analyze(old);
  ASSERT_TRUE(factor.factorize(old));
  const Eigen::VectorXd b = random_vector(now.rows());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size()), plain = x;
  const auto with = conjugate_gradient(
      now, b, [&](const Eigen::VectorXd& r) { return Eigen::VectorXd(factor.solve(r)); }, x);
  EXPECT_TRUE(with.converged);
  EXPECT_LT((now.selfadjointView<Eigen::Lower>() * x - b).norm(), 1e-8 * b.norm());
  const auto without = conjugate_gradient(now, b, nothing(), plain, {1e-10, with.iterations});
  EXPECT_FALSE(without.converged);
  // A start at the solution needs nothing more.
  EXPECT_EQ(conjugate_gradient(now, b, nothing(), x, {1e-6, 100}).iterations, 0);
}

TEST(ConjugateGradient, StopsWhereTheMatrixIsNotPositiveDefinite) {
  Sparse lower(3, 3);
  for (int i = 0; i < 3; ++i) lower.insert(i, i) = i == 1 ? -1 : 1;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(3);
  const auto report = conjugate_gradient(lower, Eigen::Vector3d(0.1, 1, 0.1), nothing(), x);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(x.allFinite());
  x = Eigen::VectorXd::Ones(3);
  EXPECT_TRUE(conjugate_gradient(lower, Eigen::Vector3d::Zero(), nothing(), x).converged);
  EXPECT_EQ(x, Eigen::VectorXd::Zero(3));
}

}  // namespace
}  // namespace cutis::test
