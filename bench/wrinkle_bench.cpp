// The linear systems of a wrinkling layer at several numbers of vertices: our factor with the constraints as
// penalties, that of the shell alone, and the straightforward way of Li 2014, Eq. 5.1, an LU factor of the
// whole matrix with multipliers.
#include <array>
#include <cmath>

#include <benchmark/benchmark.h>
#include <Eigen/SparseLU>

#include "cutis/solve/sparse_cholesky.h"
#include "cutis/wrinkle/constraint/constraint_centres.h"
#include "cutis/wrinkle/constraint/constraint_functions.h"
#include "cutis/wrinkle/constraint/wavelength_field.h"
#include "cutis/wrinkle/shell/shell_problem.h"

namespace cutis {
namespace {

constexpr double kYoung = 4e6, kThickness = 1.3e-3, kWavelength = 6.245e-3, kEdge = 0.125 * kWavelength;

/// A square of n by n cells, each cut in two.
Mesh square(int n) {
  Mesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.positions.push_back(kEdge * Vec3(i + 0.5 * (j % 2), 0.866 * j, 0));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const VertexId a(j * (n + 1) + i), b(a.index() + 1), d(a.index() + at(n + 1)), c(d.index() + 1);
      mesh.add_face(std::array{a, b, j % 2 ? c : d});
      mesh.add_face(j % 2 ? std::array{a, c, d} : std::array{b, c, d});
    }
  return mesh;
}

/// A square layer with constraints whose functions are so many wavelengths wide (0: none), stretched a little
/// so that its Hessian is definite.
struct Layer {
  Mesh mesh;
  Shell shell;
  std::vector<ConstraintRow> rows;

  explicit Layer(int n, double support = 0.3)
      : mesh(square(n)),
        shell({{mesh, std::vector<ShellFace>(mesh.face_count(), {.young = kYoung, .thickness = kThickness}),
                0.5, 1100}}) {
    if (support == 0) return;
    const Surface surface(mesh);
    WavelengthField wavelength;
    wavelength.across.assign(mesh.vertex_count(), kWavelength);
    const GeodesicMetric metric = metric_in_wavelengths(surface, wavelength);
    for (const ConstraintFunction& f :
         constraint_functions(mesh, metric, constraint_centres(metric, 1), support)) {
      ConstraintRow& row = rows.emplace_back();
      for (const VertexWeight& w : f.samples) row.push_back({w.vertex, w.weight * Mat3::Identity()});
    }
  }
  Points stretched() const {
    Points x = mesh.positions;
    for (Vec3& p : x) p *= 1.01;
    return x;
  }
};

void wrinkle_factor(benchmark::State& state, double support) {
  const Layer layer(static_cast<int>(state.range(0)), support);
  ShellProblem problem(layer.shell, layer.rows);
  problem.set_penalties(
      std::vector<Mat3>(problem.constraints().size(), 1e4 * kYoung * kThickness * Mat3::Identity()));
  problem.start(layer.stretched());
  std::vector<VertexSpring> springs;
  for (VertexId v : ids<VertexId>(layer.mesh.vertex_count()))
    springs.push_back({v, Mat3::Identity(), Vec3::Zero()});
  problem.set_springs(springs);
  const Eigen::SparseMatrix<double> hessian = problem.hessian();
  SparseCholesky factor(Ordering::Best);
  factor.analyze(hessian);
  for (auto _ : state) benchmark::DoNotOptimize(factor.factorize(hessian));
  state.counters["vertices"] = static_cast<double>(layer.mesh.vertex_count());
}

void wrinkle_assemble(benchmark::State& state) {
  const Layer layer(static_cast<int>(state.range(0)));
  ShellProblem problem(layer.shell, layer.rows);
  problem.start(layer.stretched());
  for (auto _ : state) {
    benchmark::DoNotOptimize(problem.gradient().norm());
    benchmark::DoNotOptimize(problem.hessian().nonZeros());
  }
}

/// Built anew and factorised in each iteration, on one thread.
void wrinkle_kkt_lu(benchmark::State& state) {
  const Layer layer(static_cast<int>(state.range(0)));
  ShellProblem problem(layer.shell, {});
  problem.start(layer.stretched());
  const int n = static_cast<int>(3 * layer.mesh.vertex_count()), m = static_cast<int>(3 * layer.rows.size());
  for (auto _ : state) {
    const Eigen::SparseMatrix<double> whole = problem.hessian().selfadjointView<Eigen::Lower>();
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < n; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator it(whole, k); it; ++it)
        entries.emplace_back(it.row(), it.col(), it.value());
    for (int c = 0; c < m / 3; ++c)
      for (const VertexBlock& w : layer.rows[at(c)])
        for (int k = 0; k < 3; ++k) {
          const int column = 3 * w.vertex.value + k;
          entries.emplace_back(n + 3 * c + k, column, w.weight(k, k));
          entries.emplace_back(column, n + 3 * c + k, w.weight(k, k));
        }
    Eigen::SparseMatrix<double> kkt(n + m, n + m);
    kkt.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(kkt);
    benchmark::DoNotOptimize(lu.info());
  }
  state.counters["vertices"] = static_cast<double>(layer.mesh.vertex_count());
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(54)->Arg(89)->Arg(109)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(wrinkle_factor, shell_alone, 0)->Apply(sizes);
BENCHMARK_CAPTURE(wrinkle_factor, with_constraints, 0.3)->Apply(sizes);
BENCHMARK_CAPTURE(wrinkle_factor, with_wide_constraints, 0.5)->Apply(sizes);
BENCHMARK(wrinkle_assemble)->Apply(sizes);
BENCHMARK(wrinkle_kkt_lu)->Apply(sizes)->Iterations(1);

}  // namespace
}  // namespace cutis
