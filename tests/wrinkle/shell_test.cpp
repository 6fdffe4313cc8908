#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {
namespace {

struct SheetCut {
  double jitter = 0;     ///< [edges]
  double aspect = 1;     ///< of the triangles
  double direction = 0;  ///< of their long side [rad]
};

/// A sheet of about `length` by `width`, cut into triangles with edges of about `edge`, which are laid out in
/// a frame that is turned.
Mesh sheet(double length, double width, double edge, const SheetCut& cut = {}, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-cut.jitter, cut.jitter);
  const double dx = edge * std::sqrt(cut.aspect), dy = edge * std::sqrt(3.0) / 2 / std::sqrt(cut.aspect);
  const int nx = static_cast<int>(std::lround(length / dx)), ny = static_cast<int>(std::lround(width / dy));
  Mesh mesh;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const bool inner = i > 0 && i < nx && j > 0 && j < ny;
      const double x = (i + (j % 2 ? 0.5 : 0) + (inner ? noise(random) : 0)) * dx;
      const double y = (j + (inner ? noise(random) : 0)) * dy;
      mesh.positions.push_back({x * std::cos(cut.direction) - y * std::sin(cut.direction),
                                x * std::sin(cut.direction) + y * std::cos(cut.direction), 0});
    }
  const auto vertex = [&](int i, int j) { return VertexId(j * (nx + 1) + i); };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const VertexId a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
      if (j % 2) {
        mesh.add_face(std::array{a, b, c});
        mesh.add_face(std::array{a, c, d});
      } else {
        mesh.add_face(std::array{a, b, d});
        mesh.add_face(std::array{b, c, d});
      }
    }
  return mesh;
}

Shell shell_of(const Mesh& mesh, double young, double thickness, double poisson = 0.5) {
  return Shell(mesh, std::vector<ShellFace>(mesh.face_count(), {young, thickness}), poisson, 1000);
}

/// Rolled about the y axis onto a cylinder.
Points rolled(const Mesh& mesh, double radius) {
  Points x = mesh.positions;
  for (Vec3& p : x)
    p = {radius * std::sin(p.x() / radius), p.y(), radius * (1 - std::cos(p.x() / radius))};
  return x;
}

double area_of(const Shell& shell) {
  double volume = 0;
  for (const MembraneElement& e : shell.membrane().elements()) volume += e.volume;
  return volume;
}

double rolled_energy_ratio(const SheetCut& cut) {
  const double h = 1e-3, E = 1e6, nu = 0.3, R = 0.1;
  const Mesh mesh = sheet(0.1, 0.1, 0.004, cut);
  const Shell shell = shell_of(mesh, E, h, nu);
  const Points x = rolled(mesh, R);
  double energy = 0;
  for (std::size_t f = 0; f < shell.face_count(); ++f) energy += shell.bending_energy(f, x);
  // Bent one way only: D / 2 (1 / R)² per area.
  const double D = E * h * h * h / (12 * (1 - nu * nu));
  return energy / (D / 2 / (R * R) * area_of(shell) / h);
}

TEST(Shell, ARolledSheetHasThePlatesEnergyOnAnyMesh) {
  for (const double angle : {0.0, 30.0, 90.0}) {
    const double even = rolled_energy_ratio({0, 1, angle * kDegree});
    const double jittered = rolled_energy_ratio({0.25, 1, angle * kDegree});
    const double stretched = rolled_energy_ratio({0, 4, angle * kDegree});
    const double both = rolled_energy_ratio({0.25, 4, angle * kDegree});
    printf("%g: %g %g %g %g\n", angle, even, jittered, stretched, both);
    EXPECT_NEAR(even, 1, 0.05);
    EXPECT_NEAR(jittered, 1, 0.05);
    EXPECT_GT(stretched, 1 / 1.2);
    EXPECT_LT(stretched, 1.2);
    EXPECT_GT(both, 1 / 1.2);
    EXPECT_LT(both, 1.2);
  }
}

TEST(Shell, DerivativesAgreeWithDifferences) {
  const Mesh mesh = sheet(0.02, 0.02, 0.005, {0.2});
  const Shell shell = shell_of(mesh, 1e6, 1e-3);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(-8e-4, 8e-4);
  Points x = mesh.positions;
  for (Vec3& p : x) p += Vec3(noise(random), noise(random), noise(random));
  WeightedVertices mean;
  for (int v : {3, 4, 7, 9}) {
    mean.vertices.push_back(VertexId(v));
    mean.weights.push_back(0.25);
  }
  ShellProblem problem(shell, {mean});
  problem.set_targets({Vec3(0.01, 0.01, 0.001)});
  problem.set_penalties({Mat3::Identity() * 100});
  problem.set_multipliers({Vec3(0.1, 0.2, -0.3)});
  problem.set_springs({{VertexId(5), Vec3(1, 2, 3).asDiagonal(), Vec3(0, 0, 1e-3)}});
  const auto at = [&](const Points& p) {
    problem.start(p);
    return problem.gradient();
  };
  const Eigen::VectorXd g = at(x);
  const Eigen::MatrixXd lower(problem.hessian());
  const Eigen::MatrixXd H = lower.selfadjointView<Eigen::Lower>();
  const double step = 1e-7;
  double worst_g = 0, worst_h = 0;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    Points up = x, down = x;
    up[VertexId(static_cast<int>(i / 3))][i % 3] += step;
    down[VertexId(static_cast<int>(i / 3))][i % 3] -= step;
    problem.start(up);
    const double eu = problem.energy();
    const Eigen::VectorXd gu = problem.gradient();
    problem.start(down);
    const double ed = problem.energy();
    const Eigen::VectorXd gd = problem.gradient();
    worst_g = std::max(worst_g, std::abs((eu - ed) / (2 * step) - g[i]));
    worst_h = std::max(worst_h, ((gu - gd) / (2 * step) - H.col(i)).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst_g, 1e-6 * g.cwiseAbs().maxCoeff());
  EXPECT_LT(worst_h, 1e-5 * H.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace cutis
