// Flesh: a step of a shaken torus; "newton" are the Newton steps in it, "stiff" the share of the tetrahedra
// beyond the start of their stiff phase. And its solver against the
// straightforward one (pattern found anew, simplicial Cholesky, one thread): "plain" is the time of that one
// over this one's, for the same step to the same tolerance.

#include <chrono>
#include <cmath>
#include <memory>

#include <benchmark/benchmark.h>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>

#include "cutis/core/parallel.h"
#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"
#include "cutis/flesh/flesh_core.h"
#include "cutis/material/solid/signed_svd.h"
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
  BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh, tets));
  const std::vector<NodeId> core = fit_core(mesh, FleshOptions(), lattice);
  FleshTissue out;
  out.mesh = lattice.mesh;
  out.law.young = 10e3;
  out.law.poisson = 0.45;
  out.law.viscosity = 60;
  out.law.phases.push_back({100e3, 0.1, 0.3, std::nullopt, 0});
  out.stiffness = lattice.fill;
  out.volume_group = volume_groups(lattice);
  out.masses = node_masses(lattice, 1000);
  out.mass_matrices = mass_matrices(lattice, 1000);
  out.fixed.assign(lattice.mesh.node_count(), 0);
  for (NodeId v : core) out.fixed[v] = 1;
  return out;
}

/// Where its core is: 2 Hz, so far each way [m].
NodePoints shaken(const TetMesh& mesh, double time, double amplitude) {
  NodePoints out = mesh.positions;
  for (Vec3& p : out) p.z() += amplitude * std::sin(4 * M_PI * time);
  return out;
}
/// So far that all is soft, and so far that half of the tetrahedra reach the stiff phase.
constexpr double kSoftAmplitude = 0.03, kStiffAmplitude = 0.3;

/// Share of the tetrahedra that are beyond the start of the stiff phase.
double stiff_share(const FleshTissue& tissue, const NodePoints& nodes) {
  std::size_t stiff = 0;
  for (TetId t : ids<TetId>(tissue.mesh.tet_count())) {
    const Mat3 F =
        tet_edges(tissue.mesh, nodes, t) * tet_edges(tissue.mesh, tissue.mesh.positions, t).inverse();
    stiff += stiffening(tissue.law, signed_svd(F).stretches) > 0;
  }
  return static_cast<double>(stiff) / static_cast<double>(tissue.mesh.tet_count());
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

/// A factor that knows how many multiplications it takes.
class CountedCholesky final : public Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> {
 public:
  double multiplications() const { return m_nonZerosPerCol.cast<double>().squaredNorm(); }
};

/// The matrix of a step of a shaken torus, and how long a step takes [s].
struct SteppedFlesh {
  Eigen::SparseMatrix<double> matrix;
  double tets = 0, step = 0;
};
SteppedFlesh stepped(std::size_t tets) {
  FleshDynamics flesh(torus_tissue(tets), {});
  const TetMesh mesh = flesh.problem().mesh();
  SteppedFlesh out;
  for (int i = 1; i <= 8; ++i)
    out.step = seconds_of([&] { flesh.step(i * kFleshStep, shaken(mesh, i * kFleshStep, kSoftAmplitude)); });
  out.matrix = flesh.problem().hessian();
  out.tets = static_cast<double>(mesh.tet_count());
  return out;
}

void step_shaken(benchmark::State& state, double amplitude) {
  FleshDynamics flesh(torus_tissue(static_cast<std::size_t>(state.range(0))), {});
  const TetMesh mesh = flesh.problem().mesh();
  double time = 0, steps = 0, newton = 0;
  const auto step = [&] {
    time += kFleshStep;
    return flesh.step(time, shaken(mesh, time, amplitude));
  };
  for (int i = 0; i < 6; ++i) step();
  double stiff = 0;
  for (auto _ : state) {
    newton += step().iterations;
    ++steps;
    state.PauseTiming();
    stiff += stiff_share(flesh.problem().tissue(), flesh.motion().positions);
    state.ResumeTiming();
  }
  state.counters["stiff"] = stiff / steps;
  state.counters["tets"] = static_cast<double>(mesh.tet_count());
  state.counters["newton"] = newton / steps;
}
void flesh_step(benchmark::State& state) { step_shaken(state, kSoftAmplitude); }
void flesh_step_stiff(benchmark::State& state) { step_shaken(state, kStiffAmplitude); }
BENCHMARK(flesh_step_stiff)
    ->Arg(100'000)
    ->Iterations(12)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
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
      const NodePoints target = shaken(problem.mesh(), time, kSoftAmplitude);
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
BENCHMARK(flesh_plain_solver)->Arg(50'000)->Iterations(1)->Unit(benchmark::kMillisecond)->UseManualTime();

/// One factorisation of the straightforward solver at 200,000, of the one or two in a step, would take many
/// minutes: its time is its multiplications by the time that each takes at 25,000, which is the least that it
/// can be.
void flesh_plain_factor(benchmark::State& state) {
  for (auto _ : state) {
    const SteppedFlesh small = stepped(25'000), large = stepped(static_cast<std::size_t>(state.range(0)));
    CountedCholesky of_small, of_large;
    of_small.analyzePattern(small.matrix);
    const double factor = seconds_of([&] { of_small.factorize(small.matrix); });
    const double analysis = seconds_of([&] { of_large.analyzePattern(large.matrix); });
    const double plain = analysis + factor / of_small.multiplications() * of_large.multiplications();
    state.counters["tets"] = large.tets;
    state.counters["own_step"] = large.step;
    state.counters["measured_at_25k"] = factor;
    state.counters["plain"] = plain / large.step;
    state.SetIterationTime(plain);
  }
}
BENCHMARK(flesh_plain_factor)->Arg(200'000)->Iterations(1)->Unit(benchmark::kMillisecond)->UseManualTime();

}  // namespace
}  // namespace cutis
