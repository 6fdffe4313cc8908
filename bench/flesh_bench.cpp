// Flesh: a step of a shaken torus; "newton" are the Newton steps in it. And its solver against the
// straightforward one (pattern found anew, simplicial Cholesky, one thread): "plain" is the time of that one
// over this one's, for the same step to the same tolerance.

#include <chrono>
#include <cmath>
#include <memory>

#include <benchmark/benchmark.h>
#include <Eigen/SparseCholesky>

#include "cutis/core/parallel.h"
#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "cutis/flesh/tissue_depth.h"
#include "torus.h"

namespace cutis {
namespace {

constexpr double kFleshStep = 1.0 / 96;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Flesh as a shot has it by default, on a torus 80 cm across.
FleshTissue torus_tissue(std::size_t tets) {
  Mesh mesh = bench::torus(150, 60);
  for (Vec3& p : mesh.positions) p *= 0.3;
  const BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh, tets));
  FleshTissue out;
  out.mesh = lattice.mesh;
  out.law.young = 10e3;
  out.law.poisson = 0.45;
  out.law.viscosity = 60;
  out.law.phases.push_back({100e3, 0.1, 0.3, std::nullopt, 0});
  out.stiffness = lattice.fill;
  out.volume_group = volume_groups(lattice);
  out.masses = node_masses(lattice, 1000);
  out.fixed.assign(lattice.mesh.node_count(), 0);
  for (NodeId v : core_nodes(lattice, mesh, {})) out.fixed[v] = 1;
  return out;
}

/// Where its core is: 2 Hz, 3 cm each way.
NodePoints shaken(const TetMesh& mesh, double time) {
  NodePoints out = mesh.positions;
  for (Vec3& p : out) p.z() += 0.03 * std::sin(4 * M_PI * time);
  return out;
}

/// What a first program does: no pattern is kept.
class PlainCholesky final : public LinearSolver {
 public:
  void analyze(const Eigen::SparseMatrix<double>&) override {}
  bool analyzed() const override { return true; }
  bool factorize(const Eigen::SparseMatrix<double>& lower) override {
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < lower.outerSize(); ++c)
      for (Eigen::SparseMatrix<double>::InnerIterator i(lower, c); i; ++i)
        entries.emplace_back(i.row(), c, i.value());
    Eigen::SparseMatrix<double> matrix(lower.rows(), lower.cols());
    matrix.setFromTriplets(entries.begin(), entries.end());
    factor_.compute(matrix);
    return factor_.info() == Eigen::Success;
  }
  bool factorized() const override { return factor_.info() == Eigen::Success; }
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) const override {
    return factor_.solve(right_side);
  }

 private:
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor_;
};

void flesh_step(benchmark::State& state) {
  FleshDynamics flesh(torus_tissue(static_cast<std::size_t>(state.range(0))), {});
  const TetMesh mesh = flesh.problem().mesh();
  double time = 0, steps = 0, newton = 0;
  const auto step = [&] {
    time += kFleshStep;
    return flesh.step(time, shaken(mesh, time));
  };
  for (int i = 0; i < 6; ++i) step();
  for (auto _ : state) {
    newton += step().iterations;
    ++steps;
  }
  state.counters["tets"] = static_cast<double>(mesh.tet_count());
  state.counters["newton"] = newton / steps;
}
BENCHMARK(flesh_step)
    ->Arg(10'000)
    ->Arg(50'000)
    ->Arg(100'000)
    ->Arg(200'000)
    ->Iterations(12)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void flesh_plain_solver(benchmark::State& state) {
  FleshDynamics flesh(torus_tissue(static_cast<std::size_t>(state.range(0))), {});
  FleshProblem& problem = flesh.problem();
  double time = 0, own = 0, plain = 0;
  BlockJacobiSolver conjugate_gradients(kFleshConjugateGradients);
  NodePoints start;
  const auto minimized = [&](LinearSolver& solver) {
    problem.start(start);
    return seconds_of([&] { minimize(problem, solver, flesh.newton()); });
  };
  for (auto _ : state) {
    // The problem of the last of a few steps, from where its nodes were before.
    for (int i = 0; i < 6; ++i) {
      start = flesh.motion().positions;
      time += kFleshStep;
      const NodePoints target = shaken(problem.mesh(), time);
      flesh.step(time, target);
      for (NodeId v : ids<NodeId>(start.size()))
        if (problem.tissue().fixed[v]) start[v] = target[v];
    }
    own += minimized(conjugate_gradients);
    PlainCholesky cholesky;
    set_threads(1);
    const double s = minimized(cholesky);
    set_threads(0);
    plain += s;
    state.SetIterationTime(s);
  }
  state.counters["tets"] = static_cast<double>(problem.mesh().tet_count());
  state.counters["plain"] = plain / own;
}
BENCHMARK(flesh_plain_solver)
    ->Arg(50'000)
    ->Arg(200'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

}  // namespace
}  // namespace cutis
