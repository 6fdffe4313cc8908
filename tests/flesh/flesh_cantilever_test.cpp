// A thick cantilever, too short for beam theory, against finite elements of another kind.

#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>
#include <Eigen/SparseCholesky>

#include "flesh/soft_tissue.h"
#include "support/blocks.h"

namespace cutis {
namespace {

constexpr double kLength = 0.16, kSide = 0.08;  // [m]
constexpr double kYoung = 1e4, kPoisson = 0.45, kDensity = test::SoftTissue::kDensity;
constexpr double kAcceleration = 0.002;  // small, so that linear elasticity holds [m/s²]
constexpr int kAlong = 10, kAcross = 5;  // quadratic elements

/// Linear elasticity by quadratic hexahedra (27 nodes, 27 Gauss points), clamped at x = 0, under its own
/// weight across. Shares nothing with the solver that it judges.
class QuadraticCantilever {
 public:
  QuadraticCantilever() {
    std::vector<Eigen::Triplet<double>> entries;
    const ElementMatrix k = element_stiffness();
    Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * count());
    const Vec3 size = element_size();
    // Of ∫ N over [-1, 1] in one direction.
    constexpr std::array<double, 3> kShare = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    for (int e = 0; e < kAlong * kAcross * kAcross; ++e) {
      const std::array<int, 3> first = {2 * (e % kAlong), 2 * (e / kAlong % kAcross),
                                        2 * (e / kAlong / kAcross)};
      for (int a = 0; a < 27; ++a) {
        const int i = node(first, a);
        load[3 * i + 2] -=
            kDensity * kAcceleration * size.prod() * kShare[a % 3] * kShare[a / 3 % 3] * kShare[a / 9];
        for (int b = 0; b < 27; ++b)
          for (int c = 0; c < 9; ++c) {
            const int row = 3 * i + c / 3, column = 3 * node(first, b) + c % 3;
            if (!clamped(row) && !clamped(column))
              entries.emplace_back(row, column, k(3 * a + c / 3, 3 * b + c % 3));
          }
      }
    }
    for (int row = 0; row < 3 * count(); ++row)
      if (clamped(row)) {
        entries.emplace_back(row, row, 1);
        load[row] = 0;
      }
    Eigen::SparseMatrix<double> matrix(3 * count(), 3 * count());
    matrix.setFromTriplets(entries.begin(), entries.end());
    displacement_ = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(load);
  }

  /// At a corner of an element.
  Vec3 at(const Vec3& x) const {
    const Vec3 size = element_size();
    const std::array<int, 3> place = {static_cast<int>(std::lround(2 * x[0] / size[0])),
                                      static_cast<int>(std::lround(2 * x[1] / size[1])),
                                      static_cast<int>(std::lround(2 * x[2] / size[2]))};
    return displacement_.segment<3>(3 * node(place, 0));
  }

 private:
  using ElementMatrix = Eigen::Matrix<double, 81, 81>;
  static constexpr int kNodesAlong = 2 * kAlong + 1, kNodesAcross = 2 * kAcross + 1;
  Eigen::VectorXd displacement_;

  static int count() { return kNodesAlong * kNodesAcross * kNodesAcross; }
  static bool clamped(int row) { return row / 3 % kNodesAlong == 0; }
  static Vec3 element_size() { return {kLength / kAlong, kSide / kAcross, kSide / kAcross}; }
  static int node(const std::array<int, 3>& first, int local) {
    return first[0] + local % 3 +
           kNodesAlong * (first[1] + local / 3 % 3 + kNodesAcross * (first[2] + local / 9));
  }

  static ElementMatrix element_stiffness() {
    const double mu = kYoung / (2 * (1 + kPoisson)),
                 lambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
    Eigen::Matrix<double, 6, 6> law = Eigen::Matrix<double, 6, 6>::Zero();
    law.topLeftCorner<3, 3>().setConstant(lambda);
    law.diagonal() << lambda + 2 * mu, lambda + 2 * mu, lambda + 2 * mu, mu, mu, mu;
    const Vec3 half = element_size() / 2;
    const std::array<double, 3> place = {-std::sqrt(0.6), 0, std::sqrt(0.6)},
                                weight = {5. / 9, 8. / 9, 5. / 9};
    ElementMatrix k = ElementMatrix::Zero();
    for (int g = 0; g < 27; ++g) {
      const std::array<int, 3> at = {g % 3, g / 3 % 3, g / 9};
      Eigen::Matrix<double, 6, 81> strain = Eigen::Matrix<double, 6, 81>::Zero();
      for (int a = 0; a < 27; ++a) {
        const std::array<int, 3> own = {a % 3, a / 3 % 3, a / 9};
        Vec3 slope;
        for (int d = 0; d < 3; ++d) {
          slope[d] = 1 / half[d];
          for (int e = 0; e < 3; ++e) {
            const double t = place[at[e]];
            const std::array<double, 3> value = {t * (t - 1) / 2, 1 - t * t, t * (t + 1) / 2},
                                        derivative = {t - 0.5, -2 * t, t + 0.5};
            slope[d] *= e == d ? derivative[own[e]] : value[own[e]];
          }
        }
        auto B = strain.middleCols<3>(3 * a);
        B.topRows<3>().diagonal() = slope;
        B(3, 0) = B(4, 2) = slope.y();
        B(3, 1) = B(5, 2) = slope.x();
        B(4, 1) = B(5, 0) = slope.z();
      }
      k += weight[at[0]] * weight[at[1]] * weight[at[2]] * half.prod() * strain.transpose() * law * strain;
    }
    return k;
  }
};

/// Root mean square over the surface of the difference of displacements, over that of the displacement.
double error(const QuadraticCantilever& exact, std::size_t tetrahedra) {
  const Mesh mesh = test::blocks(test::planes(0, kLength, kAlong), test::planes(0, kSide, kAcross),
                                 test::planes(0, kSide, kAcross), [](int, int, int) { return true; });
  FleshOptions options;
  options.tetrahedra = tetrahedra;
  options.law.young = kYoung;
  options.law.poisson = kPoisson;
  for (const Vec3& x : mesh.positions) options.core_region.push_back(x.x() < 1e-9);
  const test::SoftTissue soft(mesh, options);
  FleshDynamicsOptions precise;
  precise.tolerance = 1e-8;
  FleshDynamics flesh(soft.tissue, precise);
  EXPECT_TRUE(flesh.settle(soft.weights(-kAcceleration * Vec3::UnitZ())).converged);
  const Points now = Embedding(soft.lattice, mesh).positions(flesh.motion().positions);
  double missed = 0, moved = 0;
  for (VertexId v : ids<VertexId>(now.size())) {
    const Vec3 expected = exact.at(mesh.positions[v]);
    missed += (now[v] - mesh.positions[v] - expected).squaredNorm();
    moved += expected.squaredNorm();
  }
  return std::sqrt(missed / moved);
}

TEST(FleshCantilever, ConvergesToQuadraticElementsHeldByOneFace) {
  const QuadraticCantilever exact;
  const double coarse = error(exact, 2'000), fine = error(exact, 16'000);
  std::cout << "a cantilever against quadratic elements, 2k and 16k tetrahedra: " << 100 * coarse << " and "
            << 100 * fine << " %\n";
  EXPECT_LT(coarse, 0.12);
  EXPECT_LT(fine, 0.25 * coarse);
  if (std::getenv("CUTIS_LONG")) {
    const double finest = error(exact, 60'000);
    std::cout << "60k: " << 100 * finest << " %\n";
    EXPECT_LT(finest, 0.02);
  }
}

}  // namespace
}  // namespace cutis
