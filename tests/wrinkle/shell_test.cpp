#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cutis/solve/newton.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/surface/mesh/deformation.h"
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

Shell shell_of(const Mesh& mesh, double young, double thickness, double poisson = 0.5,
               const SkinLaw& law = ShellPart().law) {
  return Shell({{mesh, std::vector<ShellFace>(mesh.face_count(), {.young = young, .thickness = thickness}),
                 poisson, 1000, law}});
}

/// Rolled about the y axis onto a cylinder.
Points rolled(const Mesh& mesh, double radius) {
  Points x = mesh.positions;
  for (Vec3& p : x) p = {radius * std::sin(p.x() / radius), p.y(), radius * (1 - std::cos(p.x() / radius))};
  return x;
}

double rolled_energy_ratio(const SheetCut& cut) {
  const double h = 1e-3, E = 1e6, nu = 0.3, R = 0.1;
  const Mesh mesh = sheet(0.1, 0.1, 0.004, cut);
  const Shell shell = shell_of(mesh, E, h, nu);
  const Points x = rolled(mesh, R);
  // Free edges bear no moment, so that triangles there are not those of a cylinder.
  double energy = 0, area = 0;
  for (std::size_t f = 0; f < shell.face_count(); ++f) {
    const BendingElement& element = shell.bending(f);
    if (!element.has_hinge(0) || !element.has_hinge(1) || !element.has_hinge(2)) continue;
    energy += shell.bending_energy(f, x);
    area += shell.volume(f) / h;
  }
  // Bent one way only: D / 2 (1 / R)² per area.
  const double D = E * h * h * h / (12 * (1 - nu * nu));
  return energy / (D / 2 / (R * R) * area);
}

TEST(Shell, ARolledSheetHasThePlatesEnergyOnAnyMesh) {
  for (const double angle : {0.0, 30.0, 90.0}) {
    const double even = rolled_energy_ratio({0, 1, angle * kDegree});
    const double jittered = rolled_energy_ratio({0.25, 1, angle * kDegree});
    const double stretched = rolled_energy_ratio({0, 4, angle * kDegree});
    const double both = rolled_energy_ratio({0.25, 4, angle * kDegree});
    EXPECT_NEAR(even, 1, 0.01);
    EXPECT_NEAR(jittered, 1, 0.02);
    EXPECT_NEAR(stretched, 1, 0.02);
    EXPECT_NEAR(both, 1, 0.02);
  }
}

/// Of energy and gradient against differences.
void expect_derivatives(ShellProblem& problem, const Points& x) {
  problem.start(x);
  const Eigen::VectorXd g = problem.gradient();
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

/// All laws of a layer; that of Fung with an exponential part that is given for a softer one.
const std::vector<SkinLaw>& layer_laws() {
  static const std::vector<SkinLaw> laws = [] {
    std::vector<SkinLaw> all;
    for (const auto model : {MaterialModel::StVenantKirchhoff, MaterialModel::NeoHookean,
                             MaterialModel::StableNeoHookean, MaterialModel::Fung})
      all.push_back({.model = model});
    all.back().young = 1e4;
    all.back().fung_stiffness = 500;
    all.back().fung_exponent = 4;
    return all;
  }();
  return laws;
}

/// Whatever its law, a strip that is stretched a little along x, free across, bears E h strain: (1 - ν²) less
/// than where it is held across.
TEST(Shell, EveryLawHasTheStiffnessThatIsGiven) {
  const Mesh mesh = sheet(0.02, 0.02, 0.005);
  const double E = 1e6, h = 1e-3, nu = 0.5, strain = 1e-4;
  Points x = mesh.positions;
  for (Vec3& p : x) p.x() *= 1 + strain;
  for (const SkinLaw& law : layer_laws()) {
    const Shell shell = shell_of(mesh, E, h, nu, law);
    double energy = 0, volume = 0;
    for (std::size_t f = 0; f < shell.face_count(); ++f) {
      energy += shell.energy(f, x);
      volume += shell.volume(f);
    }
    EXPECT_NEAR(energy / (0.5 * E / (1 - nu * nu) * strain * strain * volume), 1, 1e-3);
  }
}

TEST(Shell, DerivativesOfEveryLawAgreeWithDifferences) {
  const Mesh mesh = sheet(0.015, 0.015, 0.005, {0.2});
  std::mt19937 random(4);
  std::uniform_real_distribution<double> noise(-5e-4, 5e-4);
  Points x = mesh.positions;
  for (Vec3& p : x) p += Vec3(noise(random), noise(random), noise(random));
  for (const SkinLaw& law : layer_laws()) {
    const Shell shell = shell_of(mesh, 1e6, 1e-3, 0.5, law);
    ShellProblem problem(shell, {});
    expect_derivatives(problem, x);
  }
}

TEST(Shell, DerivativesAgreeWithDifferences) {
  const Mesh mesh = sheet(0.02, 0.02, 0.005, {0.2});
  const Shell shell = shell_of(mesh, 1e6, 1e-3);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(-8e-4, 8e-4);
  Points x = mesh.positions;
  for (Vec3& p : x) p += Vec3(noise(random), noise(random), noise(random));
  ConstraintRow mean;
  for (int v : {3, 4, 7, 9}) mean.push_back({VertexId(v), 0.25 * Mat3::Identity()});
  mean[1].weight(0, 2) = 0.1;
  ShellProblem problem(shell, {mean});
  problem.set_targets({Vec3(0.01, 0.01, 0.001)});
  problem.set_penalties({Mat3::Identity() * 100});
  problem.set_multipliers({Vec3(0.1, 0.2, -0.3)});
  problem.set_springs({{VertexId(5), Vec3(1, 2, 3).asDiagonal(), Vec3(0, 0, 1e-3)}});
  expect_derivatives(problem, x);
}

/// The least compression at which a strip on springs has negative curvature, and the wave that it has there.
struct Buckling {
  double strain = 0;
  double wavelength = 0;  ///< [m]
};

/// A strip between two held ends on a Winkler foundation of k per area [N/m³]. It may move up and down only
/// along its sides, so that it bends one way.
Buckling buckling_on_springs(const Shell& shell, double k) {
  const Mesh& mesh = shell.rest();
  IdVector<VertexId, char> held(mesh.vertex_count(), 0);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) held[v] = shell.topology().is_border(v);
  std::vector<VertexSpring> springs;
  const double thickness = shell.volume(0) / (rest_triangle(mesh.positions[mesh.face(FaceId(0))[0]],
                                                            mesh.positions[mesh.face(FaceId(0))[1]],
                                                            mesh.positions[mesh.face(FaceId(0))[2]])
                                                  .area);
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    springs.push_back({v, Vec3(0, 0, k * shell.masses()[v] / (1000 * thickness)).asDiagonal(), Vec3::Zero()});
  ShellProblem problem(shell, {}, held);
  problem.set_springs(springs);
  const auto hessian_at = [&](double strain) -> const Eigen::SparseMatrix<double>& {
    Points x = mesh.positions;
    for (Vec3& p : x) p.x() *= 1 - strain;
    problem.start(x);
    return problem.hessian();
  };
  SparseCholesky factor;
  factor.analyze(hessian_at(0));
  double low = 0, high = 0.2;
  while (high - low > 1e-6) (factor.factorize(hessian_at((low + high) / 2)) ? low : high) = (low + high) / 2;
  // The softest mode, by inverse iteration just below.
  EXPECT_TRUE(factor.factorize(hessian_at(low)));
  Eigen::VectorXd mode = Eigen::VectorXd::Random(problem.gradient().size());
  for (int i = 0; i < 50; ++i) mode = factor.solve(mode).col(0).normalized();
  // Crossings of zero along the middle line.
  std::vector<std::pair<double, double>> line;
  Eigen::Index block = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    if (held[v]) continue;
    if (std::abs(mesh.positions[v].y() - 0.005) < 2e-4)
      line.emplace_back(mesh.positions[v].x(), mode[3 * block + 2]);
    ++block;
  }
  std::sort(line.begin(), line.end());
  std::vector<double> zeros;
  for (std::size_t i = 1; i < line.size(); ++i)
    if (line[i - 1].second * line[i].second < 0) zeros.push_back((line[i - 1].first + line[i].first) / 2);
  const double span = zeros.back() - zeros.front();
  return {low, 2 * span / static_cast<double>(zeros.size() - 1)};
}

double energy_of(const Shell& shell, const Points& x) {
  double sum = 0;
  for (std::size_t f = 0; f < shell.face_count(); ++f) sum += shell.energy(f, x);
  return sum;
}

/// Loaded in part, a shell bears a part of the logarithmic strain, and of the bending, of where it is
/// carried.
TEST(Shell, BearsAShareOfWhereItIsCarried) {
  const Mesh mesh = sheet(0.1, 0.1, 0.01, {.jitter = 0.2});
  const Shell own = shell_of(mesh, 1e6, 1e-3);
  Shell loaded = shell_of(mesh, 1e6, 1e-3);
  const auto stretched = [&](double stretch) {
    Points x = mesh.positions;
    for (Vec3& p : x) p.x() *= stretch;
    return x;
  };
  const Points carried = stretched(0.64);
  loaded.set_carried(carried, 0);
  EXPECT_NEAR(energy_of(loaded, carried), 0, 1e-12 * energy_of(own, carried));
  loaded.set_carried(carried, 0.5);
  EXPECT_NEAR(energy_of(loaded, carried), energy_of(own, stretched(0.8)), 1e-9 * energy_of(own, carried));
  const Points bent = rolled(mesh, 0.05);
  loaded.set_carried(bent, 0.5);
  for (std::size_t f = 0; f < own.face_count(); ++f)
    EXPECT_NEAR(loaded.bending_energy(f, bent), own.bending_energy(f, bent) / 4, 1e-9 * energy_of(own, bent));
  loaded.set_carried(carried, 1);
  EXPECT_EQ(energy_of(loaded, carried), energy_of(own, carried));
}

/// Two triangles, the second turned about the common edge by an angle.
Points turned_hinge(double angle) {
  Points x;
  for (const Vec3& p :
       {Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(std::cos(angle), 0, std::sin(angle))})
    x.push_back(0.01 * p);
  return x;
}

Shell hinge_shell() {
  Mesh mesh;
  mesh.positions = turned_hinge(0);
  mesh.add_face(std::array{VertexId(0), VertexId(1), VertexId(2)});
  mesh.add_face(std::array{VertexId(1), VertexId(0), VertexId(3)});
  return shell_of(mesh, 1e6, 1e-3);
}

/// What folds itself over is stopped, either way...
TEST(Shell, CanNotBeFoldedOntoItself) {
  const Shell shell = hinge_shell();
  ShellProblem problem(shell, {});
  for (const double side : {1.0, -1.0}) {
    const auto energy = [&](double from_pi) { return energy_of(shell, turned_hinge(side * (pi - from_pi))); };
    const auto slope = [&](double from_pi) {
      return (energy(0.99 * from_pi) - energy(from_pi)) / (0.01 * from_pi);
    };
    // Up to three quarters of a half-turn it is bent as a plate; beyond, moments grow without bound.
    EXPECT_NEAR(energy(0.3 * pi), energy(0.6 * pi) * std::pow(0.7 / 0.4, 2), 1e-9 * energy(0.3 * pi));
    EXPECT_GT(energy(0.03 * pi), 2 * energy(0.3 * pi));
    EXPECT_GT(slope(1e-3), 10 * slope(0.3 * pi));
    EXPECT_GT(slope(1e-6), 100 * slope(1e-3));
    expect_derivatives(problem, turned_hinge(side * 0.9 * pi));
  }
}

/// ... what a body folds over can not be, and does not resist.
TEST(Shell, DoesNotResistWhereItIsCarriedIntoAFold) {
  const Points flat = turned_hinge(0), folded = turned_hinge(0.999 * pi);
  Shell shell = hinge_shell();
  const double resisting = energy_of(shell, folded);
  shell.set_carried(folded, 1);
  EXPECT_LT(energy_of(shell, folded), 1e-9 * resisting);
  shell.set_carried(flat, 1);
  EXPECT_EQ(energy_of(shell, folded), resisting);
  // Where it is carried nearly into a fold, nothing is pushed.
  const Points nearly = turned_hinge(0.9 * pi);
  shell.set_carried(nearly, 1);
  const double bent = energy_of(shell, nearly);
  EXPECT_NEAR(bent, energy_of(shell, turned_hinge(0.45 * pi)) * 4, 1e-9 * bent);
}

TEST(Shell, AStripOnSpringsBucklesAtItsLoadAndWavelength) {
  const double E = 1e6, h = 2e-4, nu = 0.5, length = 0.12;
  const double D = E * h * h * h / (12 * (1 - nu * nu)), wavelength = 0.01;
  const double q = 2 * pi / wavelength, k = D * q * q * q * q;
  const Shell shell = shell_of(sheet(length, 0.04, wavelength / 16), E, h, nu);
  const Buckling found = buckling_on_springs(shell, k);
  // N = 2 sqrt(k D), over the stiffness E h / (1 - ν²).
  EXPECT_NEAR(found.strain, 2 * std::sqrt(k * D) / (E * h / (1 - nu * nu)), 0.05 * found.strain);
  EXPECT_NEAR(found.wavelength, wavelength, 0.05 * wavelength);
}

}  // namespace
}  // namespace cutis
