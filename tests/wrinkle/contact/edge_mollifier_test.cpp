#include "cutis/wrinkle/contact/edge_mollifier.h"

#include <gtest/gtest.h>

#include "wrinkle/contact/derivative_sweep.h"

namespace cutis::test {
namespace {

/// Two edges of length 1 that cross at an angle [rad].
ContactPoints crossed(double angle) {
  const Vec3 b(std::cos(angle), std::sin(angle), 0.02);
  return {Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), Vec3(0, 0, 0.1) - 0.5 * b, Vec3(0, 0, 0.1) + 0.5 * b};
}

TEST(EdgeMollifier, FadesOutTowardsParallelEdges) {
  EXPECT_EQ(edge_mollifier(crossed(1), 1), 1);
  EXPECT_EQ(edge_mollifier(crossed(0.04), 1), 1);
  EXPECT_LT(edge_mollifier(crossed(0.02), 1), 0.97);
  EXPECT_LT(edge_mollifier(crossed(0.002), 1), edge_mollifier(crossed(0.01), 1));
  const ContactPoints parallel = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.2, 0, 1), Vec3(0.9, 0, 1)};
  EXPECT_EQ(edge_mollifier(parallel, 1), 0);
}

TEST(EdgeMollifier, HasTheDerivativesOfFiniteDifferences) {
  for (const double angle : {0.003, 0.01, 0.02}) {
    const ContactJet jet = edge_mollifier_jet(crossed(angle), 1);
    EXPECT_EQ(jet.value, edge_mollifier(crossed(angle), 1));
    const DerivativeErrors errors = derivative_errors(
        vector_of(crossed(angle)), 0.1, [](const Vec12& x) { return edge_mollifier_jet(points_of(x), 1); });
    EXPECT_LT(errors.gradient, 1e-7) << angle;
    EXPECT_LT(errors.hessian, 1e-7) << angle;
  }
  EXPECT_TRUE(edge_mollifier_jet(crossed(0.5), 1).gradient.isZero(0));
}

}  // namespace
}  // namespace cutis::test
