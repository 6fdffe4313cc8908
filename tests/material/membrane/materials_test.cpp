// Every material of the registry under the same checks.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "cutis/material/membrane/registry.h"
#include "material/membrane/diagonal.h"
#include "support/allocations.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using test::diagonal;

using Vec6 = Eigen::Matrix<double, 6, 1>;

Vec6 vec(const Mat32& m) { return Eigen::Map<const Vec6>(m.data()); }

Mat3 turn(test::Random& random) {
  return Eigen::AngleAxisd(random(0, 6), random.in_cube().normalized()).toRotationMatrix();
}

/// A deformation with these stretches, turned at rest and in space.
Mat32 turned(test::Random& random, double a, double b) {
  const Mat2 inner = Eigen::Rotation2Dd(random(0, 6)).toRotationMatrix();
  return turn(random) * diagonal(a, b) * inner;
}

/// Stretched, compressed, sheared; at, near and far from rest; with equal stretches.
std::vector<Mat32> deformations() {
  test::Random random(11);
  std::vector<Mat32> all;
  for (int i = 0; i < 40; ++i) all.push_back(turned(random, random(0.4, 1.7), random(0.4, 1.7)));
  for (double s : {0.6, 0.85, 1.0, 1.25, 1.5}) all.push_back(turned(random, s, s));
  for (double s : {1.05, 1.2, 1.45}) all.push_back(turned(random, s, 1 / s));
  return all;
}

/// Rank one, no size at all, turned inside out, very long and very short.
std::vector<Mat32> extremes() {
  test::Random random(12);
  std::vector<Mat32> all{Mat32::Zero(),     diagonal(1, 0),     diagonal(0, 1),      diagonal(-1, 1),
                         diagonal(1, -0.3), diagonal(1e4, 1e4), diagonal(1e3, 1e-9), diagonal(1e-13, 1e-14)};
  Mat32 parallel;
  parallel << Vec3(1, 2, 3), Vec3(2, 4, 6);
  all.push_back(parallel);
  for (int i = 0; i < 4; ++i) all.push_back(turned(random, random(0.5, 2), random(0, 1e-15)));
  return all;
}

class Materials : public testing::TestWithParam<MaterialSample> {
 protected:
  double energy(const Mat32& F) const { return material().energy(F, GetParam().compression); }
  MembraneStress stress(const Mat32& F) const { return material().stress(F, GetParam().compression); }
  MembraneResponse evaluate(const Mat32& F, double projected_share) const {
    return material().evaluate(F, projected_share, GetParam().compression);
  }

 private:
  const MembraneMaterial& material() const { return *GetParam().material; }
};

/// The smallest error over a sweep of steps: truncation falls with the step, rounding rises.
template <class Difference>
double best_error(const Difference& error_at) {
  double best = INFINITY;
  for (double h = 1e-2; h > 1e-9; h /= 4) best = std::min(best, error_at(h));
  return best;
}

TEST_P(Materials, StressIsTheGradientOfTheEnergy) {
  test::Random random(21);
  for (const Mat32& F : deformations()) {
    const MembraneResponse r = evaluate(F, kExact);
    EXPECT_NEAR(r.energy, energy(F), 1e-12 * (std::abs(r.energy) + GetParam().scale));
    for (int k = 0; k < 3; ++k) {
      Mat32 d;
      d << random.in_cube(), random.in_cube();
      const double slope = (r.stress.array() * d.array()).sum();
      const double error = best_error(
          [&](double h) { return std::abs((energy(F + h * d) - energy(F - h * d)) / (2 * h) - slope); });
      EXPECT_LT(error, 1e-8 * (GetParam().scale + r.stress.norm())) << F;
    }
  }
}

TEST_P(Materials, StressAloneIsThatOfTheWholeAnswer) {
  std::vector<Mat32> all = deformations();
  for (const Mat32& F : extremes()) all.push_back(F);
  for (const Mat32& F : all) {
    const MembraneResponse whole = evaluate(F, kExact);
    const MembraneStress alone = stress(F);
    EXPECT_NEAR(alone.energy, whole.energy, 1e-14 * (std::abs(whole.energy) + GetParam().scale)) << F;
    EXPECT_LT((alone.stress - whole.stress).norm(), 1e-14 * (whole.stress.norm() + GetParam().scale)) << F;
  }
}

TEST_P(Materials, HessianIsTheGradientOfTheStress) {
  test::Random random(22);
  const auto stress_at = [&](const Mat32& F) { return evaluate(F, kExact).stress; };
  for (const Mat32& F : deformations()) {
    const Mat6 H = evaluate(F, kExact).hessian;
    EXPECT_LT((H - H.transpose()).norm(), 1e-13 * (H.norm() + GetParam().scale));
    for (int k = 0; k < 3; ++k) {
      Mat32 d;
      d << random.in_cube(), random.in_cube();
      const double error = best_error([&](double h) {
        return (vec(stress_at(F + h * d) - stress_at(F - h * d)) / (2 * h) - H * vec(d)).norm();
      });
      EXPECT_LT(error, 1e-7 * (GetParam().scale + H.norm())) << F;
    }
  }
}

TEST_P(Materials, StiffnessBoundsTheEigenvaluesOfTheHessian) {
  for (const Mat32& F : deformations()) {
    const MembraneResponse exact = evaluate(F, kExact);
    const StiffStress stiff = GetParam().material->stiff_stress(F, GetParam().compression);
    const double largest = Eigen::SelfAdjointEigenSolver<Mat6>(exact.hessian).eigenvalues()[5];
    EXPECT_LT((stiff.stress - exact.stress).norm(), 1e-13 * (GetParam().scale + exact.stress.norm()));
    EXPECT_GE(stiff.stiffness, largest - 1e-10 * (largest + GetParam().scale)) << F;
    // A sum of parts is bounded part by part.
    EXPECT_LE(stiff.stiffness, 2.5 * std::max(largest, GetParam().scale)) << F;
  }
}

TEST_P(Materials, EnergyAloneIsPreciseNearRest) {
  // Line searches compare energies: what rounding leaves of one is far below the energy of small strains.
  test::Random random(25);
  for (double strain : {1e-3, 1e-5}) {
    const Mat32 F = turned(random, 1 + strain, 1 - strain / 2);
    const double whole = evaluate(F, kExact).energy;
    EXPECT_NEAR(energy(F), whole, 1e-15 * strain * GetParam().scale * 100);
  }
}

TEST_P(Materials, DoesNotMindHowItIsTurned) {
  test::Random random(23);
  for (const Mat32& F : deformations()) {
    const Mat3 R = turn(random);
    const MembraneResponse r = evaluate(F, kExact);
    const MembraneResponse t = evaluate(R * F, kExact);
    EXPECT_NEAR(r.energy, t.energy, 1e-12 * (GetParam().scale + std::abs(r.energy)));
    EXPECT_LT((t.stress - R * r.stress).norm(), 1e-11 * (GetParam().scale + r.stress.norm()));
    Mat6 both = Mat6::Zero();
    both.topLeftCorner<3, 3>() = both.bottomRightCorner<3, 3>() = R;
    EXPECT_LT((t.hessian - both * r.hessian * both.transpose()).norm(),
              1e-9 * (GetParam().scale + r.hessian.norm()));
    if (!GetParam().isotropic) continue;
    const Mat2 inner = Eigen::Rotation2Dd(random(0, 6)).toRotationMatrix();
    EXPECT_NEAR(energy(F * inner), r.energy, 1e-12 * (GetParam().scale + std::abs(r.energy)));
  }
}

TEST_P(Materials, HasNoStressAtRest) {
  test::Random random(24);
  for (int i = 0; i < 10; ++i) {
    const MembraneResponse r = evaluate(turned(random, 1, 1), kExact);
    EXPECT_NEAR(r.energy, 0, 1e-14 * GetParam().scale);
    EXPECT_LT(r.stress.norm(), 1e-13 * GetParam().scale);
  }
}

TEST_P(Materials, TangentAtRestIsPlaneStress) {
  // In the plane: E / (1 - nu²) [1 nu; nu 1] and the shear modulus E / 2(1 + nu); nothing resists leaving it.
  const MaterialSample& s = GetParam();
  const Mat6 H = evaluate(diagonal(1, 1), kExact).hessian;
  const double stretch = s.young / (1 - s.poisson * s.poisson), shear = s.young / (2 * (1 + s.poisson));
  Mat6 expected = Mat6::Zero();
  expected(0, 0) = expected(4, 4) = stretch;
  expected(0, 4) = expected(4, 0) = s.poisson * stretch;
  expected(1, 1) = expected(3, 3) = expected(1, 3) = expected(3, 1) = shear;
  EXPECT_LT((H - expected).norm(), 1e-6 * s.scale) << H;
}

TEST_P(Materials, ProjectionClampsTheEigenvalues) {
  int negative = 0;
  for (const Mat32& F : deformations()) {
    const MembraneResponse exact = evaluate(F, kExact);
    const MembraneResponse projected = evaluate(F, kProjected);
    EXPECT_EQ(exact.energy, projected.energy);
    EXPECT_EQ(exact.stress, projected.stress);
    const double size = GetParam().scale + exact.hessian.norm();
    const Mat6 partly = exact.hessian + 0.3 * (projected.hessian - exact.hessian);
    EXPECT_LT((evaluate(F, 0.3).hessian - partly).norm(), 1e-13 * size);
    const Eigen::SelfAdjointEigenSolver<Mat6> of_exact(exact.hessian), of_projected(projected.hessian);
    EXPECT_GT(of_projected.eigenvalues().minCoeff(), -1e-13 * size);
    // Never softer than the exact one.
    const Eigen::SelfAdjointEigenSolver<Mat6> gained(Mat6(projected.hessian - exact.hessian));
    EXPECT_GT(gained.eigenvalues().minCoeff(), -1e-12 * size);
    const bool convex = of_exact.eigenvalues().minCoeff() >= -1e-14 * size;
    negative += !convex;
    if (!GetParam().clamps_exactly) continue;
    if (convex) {
      EXPECT_LT((projected.hessian - exact.hessian).norm(), 1e-13 * size);
    }
    const Mat6 clamped = of_exact.eigenvectors() * of_exact.eigenvalues().cwiseMax(0).asDiagonal() *
                         of_exact.eigenvectors().transpose();
    EXPECT_LT((projected.hessian - clamped).norm(), 1e-10 * size) << F;
  }
  // The deformations do exercise the projection; fibres alone need none.
  if (GetParam().name == "fibre") {
    EXPECT_EQ(negative, 0);
  } else {
    EXPECT_GT(negative, 5);
  }
}

TEST_P(Materials, StaysFiniteAtTheExtremes) {
  for (const Mat32& F : extremes())
    for (double projected_share : {kExact, kProjected}) {
      const MembraneResponse r = evaluate(F, projected_share);
      EXPECT_TRUE(std::isfinite(r.energy)) << F;
      EXPECT_TRUE(std::isfinite(energy(F))) << F;
      EXPECT_TRUE(r.stress.allFinite()) << F;
      EXPECT_TRUE(r.hessian.allFinite()) << F;
      if (projected_share == kExact) continue;
      const Eigen::SelfAdjointEigenSolver<Mat6> eigen(r.hessian);
      EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-12 * (GetParam().scale + r.hessian.norm())) << F;
    }
}

TEST_P(Materials, AMirroredSheetIsTheSameSheet) {
  // In space a sheet turns over by a half turn: F with a column negated, and the other way around.
  Mat3 half_turn = Mat3::Identity();
  half_turn(0, 0) = half_turn(2, 2) = -1;
  const Mat32 F = diagonal(1.2, 0.9);
  const MembraneResponse r = evaluate(F, kExact);
  const MembraneResponse m = evaluate(diagonal(-1.2, 0.9), kExact);
  EXPECT_NEAR(r.energy, m.energy, 1e-13 * GetParam().scale);
  EXPECT_LT((m.stress - half_turn * r.stress).norm(), 1e-12 * GetParam().scale);
}

TEST_P(Materials, AsksForNoMemory) {
  const std::vector<Mat32> all = deformations();
  const std::size_t before = test::allocations();
  double sum = 0;
  for (const Mat32& F : all)
    sum += evaluate(F, kProjected).hessian.norm() + energy(F) + stress(F).stress.norm();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

INSTANTIATE_TEST_SUITE_P(Registry, Materials, testing::ValuesIn(material_samples()),
                         [](const auto& sample) { return sample.param.name; });

}  // namespace
}  // namespace cutis
