// Every solid of the registry under the same checks.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/material/solid/lame.h"
#include "cutis/material/solid/registry.h"
#include "material/solid/deformations.h"
#include "support/allocations.h"

namespace cutis {
namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;

Vec9 vec(const Mat3& m) { return Eigen::Map<const Vec9>(m.data()); }

/// vec(A X B) = (Bᵀ ⊗ A) vec(X).
Mat9 two_sided(const Mat3& A, const Mat3& B) {
  Mat9 K;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) K.block<3, 3>(3 * i, 3 * j) = B(j, i) * A;
  return K;
}

double least_eigenvalue(const Mat9& H) {
  return Eigen::SelfAdjointEigenSolver<Mat9>(H, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
}

/// The smallest error over a sweep of steps: truncation falls with the step, rounding rises.
template <class Difference>
double best_error(const Difference& error_at) {
  double best = INFINITY;
  for (double h = 1e-2; h > 1e-9; h /= 4) best = std::min(best, error_at(h));
  return best;
}

class Solids : public testing::TestWithParam<SolidSample> {
 protected:
  double energy(const Mat3& F) const { return GetParam().material->energy(F); }
  Mat3 stress(const Mat3& F) const { return GetParam().material->stress(F).stress; }
  SolidResponse evaluate(const Mat3& F, double projected_share) const {
    return GetParam().material->evaluate(F, projected_share);
  }
  Mat9 hessian(const Vec3& stretches) const { return evaluate(Mat3(stretches.asDiagonal()), kExact).hessian; }
  double scale() const { return GetParam().scale; }

  /// Where the law has derivatives to compare with.
  std::vector<Mat3> smooth_deformations() const {
    std::vector<Mat3> all = test::upright_deformations();
    for (const Mat3& F : test::inverted_deformations()) all.push_back(F);
    if (!GetParam().smooth_inverted) return all;
    test::Random random(14);
    for (const Vec3& s :
         {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0.5, -0.5), Vec3(1, 1, -1), Vec3(1, 1e-9, -1e-9)})
      all.push_back(test::turned(random, s));
    return all;
  }
};

TEST_P(Solids, StressIsTheGradientOfTheEnergy) {
  test::Random random(21);
  for (const Mat3& F : smooth_deformations()) {
    const SolidResponse r = evaluate(F, kExact);
    EXPECT_EQ(r.energy, energy(F));
    EXPECT_EQ(r.stress, stress(F));
    for (int k = 0; k < 3; ++k) {
      const Mat3 d = test::random_matrix(random);
      const double slope = r.stress.cwiseProduct(d).sum();
      const double error = best_error(
          [&](double h) { return std::abs((energy(F + h * d) - energy(F - h * d)) / (2 * h) - slope); });
      EXPECT_LT(error, 1e-8 * (scale() + r.stress.norm())) << F;
    }
  }
}

TEST_P(Solids, HessianIsTheGradientOfTheStress) {
  test::Random random(22);
  for (const Mat3& F : smooth_deformations()) {
    const Mat9 H = evaluate(F, kExact).hessian;
    EXPECT_LT((H - H.transpose()).norm(), 1e-13 * (H.norm() + scale()));
    for (int k = 0; k < 3; ++k) {
      const Mat3 d = test::random_matrix(random);
      const double error = best_error([&](double h) {
        return (vec(stress(F + h * d) - stress(F - h * d)) / (2 * h) - H * vec(d)).norm();
      });
      // A ramp of width w has a third derivative of 1/w and a fourth of 1/w².
      EXPECT_LT(error, (GetParam().narrowest < 0.05 ? 1e-5 : 1e-7) * (scale() + H.norm())) << F;
    }
  }
}

TEST_P(Solids, VolumeStandsApart) {
  test::Random random(23);
  const SolidMaterial& material = *GetParam().material;
  std::vector<Mat3> all = smooth_deformations();
  for (double strain : {0.1, 0.01, 1e-4, 1e-6})
    all.push_back(test::random_rotation(random) * (Mat3::Identity() + strain * test::random_matrix(random)));
  for (const Mat3& F : all) {
    const double J = F.determinant(), energy = material.energy(F);
    const ScalarJet volume = material.volume(J);
    // Near rest, where the energy is of second order in the strain, what it loses is so of first.
    const double strain = (F.transpose() * F - Mat3::Identity()).norm();
    const double digits = 1e-14 * (energy + scale() * (strain + 1e-6));
    EXPECT_NEAR(material.shape_energy(F) + volume.value, energy, digits) << F;
    const SolidModes modes = material.evaluate_shape(F, volume.first, kExact);
    const SolidResponse whole = material.evaluate(F, kExact);
    EXPECT_LT((modes.stress - whole.stress).norm(), 1e-13 * (scale() + whole.stress.norm())) << F;
    Mat3 growth;  // dJ/dF
    growth << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
    Mat9 H = volume.second * vec(growth) * vec(growth).transpose();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) H.block<3, 3>(3 * a, 3 * b) += modes.block(modes.V.row(a), modes.V.row(b));
    EXPECT_LT((H - whole.hessian).norm(), 1e-11 * (scale() + whole.hessian.norm())) << F;
  }
}

TEST_P(Solids, HessianKeepsItsDigitsWhereStretchesMeet) {
  // Of stretches that differ by ever less, down to rounding: what it is at equal ones, to first order.
  for (double s : {0.75, 0.82, 1.0, 1.15, 1.2222, 1.4})
    for (double third : {s, 0.9, -0.4}) {
      const Mat9 equal = hessian({s, s, third});
      for (double apart : {1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-16}) {
        const Mat9 close = hessian({s * (1 + apart), s * (1 - apart), third});
        EXPECT_LT((close - equal).norm(), (1e-12 + 20 * apart / GetParam().narrowest) * equal.norm() +
                                              20 * apart * scale() / GetParam().narrowest)
            << s << " " << apart;
      }
    }
}

TEST_P(Solids, IsC2AcrossThePhases) {
  // Neighbours 0.3 % of the narrowest ramp apart: a jump would be as large as the stiffness itself.
  const double step = 3e-3 * std::min(0.2, GetParam().narrowest);
  for (const Vec3& along : {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, 1)}) {
    const auto at = [&](double t) { return hessian(Vec3::Ones() + t * along); };
    Mat9 before = at(-0.9);
    for (double t = -0.9 + step; t < 1.2; t += step) {
      const Mat9 now = at(t);
      ASSERT_LT((now - before).norm(), 0.1 * (scale() + now.norm())) << t;
      before = now;
    }
  }
}

TEST_P(Solids, EnergyIsPreciseNearRest) {
  // Line searches compare energies: what rounding leaves of one is far below the energy of small strains.
  test::Random random(25);
  const SolidSample& s = GetParam();
  const Lame rest = lame(s.young, s.poisson);
  for (double strain : {1e-4, 1e-6}) {
    const Vec3 e = strain * Vec3(1, -0.5, 0.3);
    const double linear = rest.mu * e.squaredNorm() + rest.lambda / 2 * e.sum() * e.sum();
    const double found = energy(test::turned(random, Vec3::Ones() + e));
    EXPECT_NEAR(found, linear, (10 * strain * strain * strain + 1e-14 * strain) * s.scale);
  }
}

TEST_P(Solids, DoesNotMindHowItIsTurned) {
  test::Random random(23);
  for (const Mat3& F : smooth_deformations()) {
    const Mat3 outer = test::random_rotation(random), inner = test::random_rotation(random);
    const SolidResponse r = evaluate(F, kExact), t = evaluate(outer * F * inner, kExact);
    EXPECT_NEAR(r.energy, t.energy, 1e-12 * (scale() + std::abs(r.energy)));
    EXPECT_LT((t.stress - outer * r.stress * inner).norm(), 1e-11 * (scale() + r.stress.norm()));
    const Mat9 K = two_sided(outer, inner);
    EXPECT_LT((t.hessian - K * r.hessian * K.transpose()).norm(), 1e-10 * (scale() + r.hessian.norm())) << F;
  }
}

TEST_P(Solids, AtRestItIsLinearElasticity) {
  // dP = lambda tr(e) I + 2 mu e, e the symmetric part of dF; nothing resists a turn.
  test::Random random(24);
  const Lame rest = lame(GetParam().young, GetParam().poisson);
  const Mat9 H = evaluate(Mat3::Identity(), kExact).hessian;
  for (int i = 0; i < 10; ++i) {
    const Mat3 d = test::random_matrix(random), e = 0.5 * (d + d.transpose());
    const Mat3 expected = rest.lambda * e.trace() * Mat3::Identity() + 2 * rest.mu * e;
    EXPECT_LT((H * vec(d) - vec(expected)).norm(), 1e-12 * scale());
    const SolidResponse r = evaluate(test::random_rotation(random), kExact);
    EXPECT_NEAR(r.energy, 0, 1e-14 * scale());
    EXPECT_LT(r.stress.norm(), 1e-13 * scale());
  }
}

TEST_P(Solids, ProjectionClampsTheEigenvalues) {
  int negative = 0;
  for (const Mat3& F : smooth_deformations()) {
    const SolidResponse exact = evaluate(F, kExact), projected = evaluate(F, kProjected);
    EXPECT_EQ(exact.energy, projected.energy);
    EXPECT_EQ(exact.stress, projected.stress);
    const double size = scale() + exact.hessian.norm();
    const Mat9 partly = exact.hessian + 0.3 * (projected.hessian - exact.hessian);
    EXPECT_LT((evaluate(F, 0.3).hessian - partly).norm(), 1e-13 * size);
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(exact.hessian);
    negative += eigen.eigenvalues().minCoeff() < -1e-10 * size;
    const Mat9 clamped = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                         eigen.eigenvectors().transpose();
    EXPECT_LT((projected.hessian - clamped).norm(), 1e-12 * size) << F;
    EXPECT_GT(least_eigenvalue(projected.hessian), -1e-13 * size) << F;
  }
  EXPECT_GT(negative, 5);
}

TEST_P(Solids, StaysFiniteAtTheExtremes) {
  for (const Mat3& F : test::extreme_deformations()) {
    EXPECT_TRUE(std::isfinite(energy(F))) << F;
    const SolidResponse exact = evaluate(F, kExact), projected = evaluate(F, kProjected);
    EXPECT_TRUE(exact.stress.allFinite()) << F;
    EXPECT_TRUE(exact.hessian.allFinite()) << F;
    EXPECT_TRUE(projected.hessian.allFinite()) << F;
    EXPECT_GT(least_eigenvalue(projected.hessian), -1e-12 * (scale() + projected.hessian.norm())) << F;
  }
}

TEST_P(Solids, PushesInvertedElementsBack) {
  // Along the inverted direction; a flat element towards the side on which it was.
  for (const Vec3& s :
       {Vec3(1, 1, -0.5), Vec3(1.2, 0.8, -0.3), Vec3(0.7, 0.6, -0.5), Vec3(1, 1, 0), Vec3(1.3, 0.8, 1e-6)})
    EXPECT_LT(stress(Mat3(s.asDiagonal()))(2, 2), 0) << s.transpose();
}

/// A closed cycle, of period 1: stretched, sheared, compressed and turned right around.
Mat3 cycle(double t) {
  const double a = 2 * pi * t;
  Mat3 strain;
  strain << 0.5 * std::sin(a), 0.3 * std::cos(a), 0.1, -0.2 * std::sin(2 * a), 0.4 * std::cos(a),
      0.2 * std::sin(a), 0.1 * std::cos(3 * a), 0, 0.45 * std::sin(a + 1);
  return Eigen::AngleAxisd(a, Vec3(1, 2, 2) / 3) * (Mat3::Identity() + strain);
}

/// d cycle / dt to the sixth order.
Mat3 cycle_rate(double t) {
  constexpr double h = 1e-3;
  return (45 * (cycle(t + h) - cycle(t - h)) - 9 * (cycle(t + 2 * h) - cycle(t - 2 * h)) +
          (cycle(t + 3 * h) - cycle(t - 3 * h))) /
         (60 * h);
}

TEST_P(Solids, NoWorkOverAClosedCycle) {
  // Through all phases; the trapezoid rule over the period.
  constexpr int kSteps = 20000;
  double work = 0, passed = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double t = double(i) / kSteps;
    const double power = stress(cycle(t)).cwiseProduct(cycle_rate(t)).sum();
    work += power / kSteps;
    passed += std::abs(power) / kSteps;
  }
  EXPECT_GT(passed, 0.01 * scale());
  EXPECT_LT(std::abs(work), 1e-8 * passed);
}

TEST_P(Solids, NewtonFindsALoadedShapeFromAnywhere) {
  // min W(F) - T : F. Also from inverted and crushed starts, and over ramps that are one percent wide.
  if (GetParam().young == 0) return;
  const Mat3 T = GetParam().young * Vec3(0.9, 0.3, 0.1).asDiagonal();
  std::vector<Mat3> starts = test::inverted_deformations();
  for (const Mat3& F : test::upright_deformations()) starts.push_back(F);
  const auto objective = [&](const Mat3& F) { return energy(F) - T.cwiseProduct(F).sum(); };
  for (Mat3 F : starts) {
    int step = 0;
    for (; step < 100; ++step) {
      const SolidResponse r = evaluate(F, kProjected);
      const Mat3 g = r.stress - T;
      if (g.norm() < 1e-10 * scale()) break;
      const Mat9 H = r.hessian + 1e-6 * scale() * Mat9::Identity();
      const Vec9 d = -H.ldlt().solve(vec(g));
      const double slope = vec(g).dot(d), now = objective(F);
      const Mat3 D = Eigen::Map<const Mat3>(d.data());
      double length = 1;
      while (length > 1e-9 && objective(F + length * D) > now + 1e-4 * length * slope + 1e-14 * scale())
        length /= 2;
      F += length * D;
    }
    EXPECT_LT(step, 60);
    EXPECT_GT(F.determinant(), 0);
  }
}

TEST_P(Solids, AsksForNoMemory) {
  const std::vector<Mat3> all = smooth_deformations();
  const std::size_t before = test::allocations();
  double sum = 0;
  for (const Mat3& F : all) sum += evaluate(F, kProjected).hessian.norm() + energy(F) + stress(F).norm();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

INSTANTIATE_TEST_SUITE_P(Registry, Solids, testing::ValuesIn(solid_samples()),
                         [](const auto& sample) { return sample.param.name; });

}  // namespace
}  // namespace cutis
