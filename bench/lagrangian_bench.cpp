// A frame of quasi-static skin on a walking body of 12,000 vertices: LagrangianSlide, against the
// straightforward version (body-carried start, fresh pattern from triplets and Eigen's SimplicialLDLT each
// iteration, one thread) and against the floor (one numeric factorisation and one solve of the same matrix).
// Times are those of the processor, summed over threads, so that a busy machine does not decide the ratios.
// "per_floor" and "straightforward_per_frame" are taken over the same frames in one run.

#include <cmath>
#include <ctime>

#include <benchmark/benchmark.h>
#include <Eigen/SparseCholesky>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/parallel.h"
#include "cutis/material/membrane/presets.h"
#include "cutis/skin/lagrangian/lagrangian.h"
#include "cutis/skin/lagrangian/skin_model.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {
namespace {

constexpr double kTolerance = 1e-6;
constexpr int kFrames = 6;
constexpr double kFirst = 0.25, kStep = 1 / 24.0;

double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

LagrangianOptions options_for(const Body& body) {
  SkinLaw law = skin_preset(MaterialPreset::Pig).law;
  law.fibres = 0;
  LagrangianOptions options;
  options.material = make_material(law);
  law.fung_stiffness = 0;
  options.ramp = {make_material(law)};
  options.ligament = {0, 0.0025, 7e4, 0};
  options.slide_limit = IdVector<VertexId, double>(body.mesh().vertex_count(), 0.01);
  for (VertexId v : ids<VertexId>(body.mesh().vertex_count())) {
    const Vec3& x = body.mesh().positions[v];  // short in the armpits, none on the hands
    if (std::abs(std::abs(x.x()) - 0.2) < 0.06 && x.y() > 1.2 && x.y() < 1.38) options.slide_limit[v] = 0.004;
    if (std::abs(x.x()) > 0.5) options.slide_limit[v] = 0;
  }
  options.tolerance = kTolerance;
  return options;
}

Eigen::SparseMatrix<double> from_triplets(const Eigen::SparseMatrix<double>& matrix) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, k); it; ++it)
      triplets.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  Eigen::SparseMatrix<double> fresh(matrix.rows(), matrix.cols());
  fresh.setFromTriplets(triplets.begin(), triplets.end());
  return fresh;
}

/// Newton's method as one writes it down: projected Hessian, a factorisation from nothing in every step.
void solve_straightforwardly(SkinModel& skin) {
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Eigen::VectorXd gradient = skin.problem.gradient();
    const Eigen::SparseMatrix<double> matrix = from_triplets(*skin.problem.modified_hessian(1));
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
    const Eigen::VectorXd step = -factor.solve(gradient);
    const double slope = gradient.dot(step), before = skin.problem.energy();
    if (std::sqrt(-slope) <= kTolerance * skin.scale) return;
    double share = skin.problem.max_step_size(step);
    while (share > 1e-10 && !(skin.problem.trial(step, share) <= before + 1e-4 * share * slope)) share /= 2;
  }
}

void lagrangian_frame(benchmark::State& state) {
  const auto body = open_cast_member("male", 0.012, RigChoice{{}, "walk", "", 1, -1});
  SkinModel skin(*body, options_for(*body));
  double ours = 0, straightforward = 0, floor = 0;
  int iterations = 0;
  for (auto _ : state) {
    set_threads(1);
    LagrangianSlide slide(*body, skin.options);
    slide.advance(kFirst);
    double spent_by_slide = 0, spent = 0;
    for (int i = 1; i <= kFrames; ++i) {
      const SkinPoints before = slide.skin().map->points();
      double begin = cpu_seconds();
      iterations += slide.advance(kFirst + i * kStep).iterations;
      spent_by_slide += cpu_seconds() - begin;
      // The same frame, from the same skin.
      begin = cpu_seconds();
      const Points now = body->positions(kFirst + i * kStep);
      skin.surface.update(now);
      skin.problem.start(now, skin.membrane, before);
      solve_straightforwardly(skin);
      spent += cpu_seconds() - begin;
    }
    ours = spent_by_slide / kFrames;
    straightforward = spent / kFrames;
    state.SetIterationTime(ours);

    SparseCholesky factor;
    skin.problem.gradient();
    factor.analyze(skin.problem.hessian());
    const double begin = cpu_seconds();
    for (int i = 0; i < 5; ++i) {
      benchmark::DoNotOptimize(factor.factorize(skin.problem.hessian()));
      benchmark::DoNotOptimize(factor.solve(skin.problem.gradient()));
    }
    floor = (cpu_seconds() - begin) / 5;
    set_threads(0);
  }
  state.counters["vertices"] = static_cast<double>(body->mesh().vertex_count());
  state.counters["iterations"] = static_cast<double>(iterations) / kFrames;
  state.counters["floor_ms"] = 1e3 * floor;
  state.counters["per_floor"] = ours / floor;
  state.counters["straightforward_per_frame"] = straightforward / ours;
}
BENCHMARK(lagrangian_frame)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
