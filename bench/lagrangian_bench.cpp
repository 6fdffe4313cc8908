// A frame of quasi-static skin on a walking body of 12,000 vertices: LagrangianSlide, against the
// straightforward version (body-carried start, fresh pattern from triplets and Eigen's SimplicialLDLT each
// iteration, one thread) and against the floor (one numeric factorisation and one solve of the same matrix).
// Times are those of the processor, summed over threads, so that a busy machine does not decide the ratios.
// "per_floor" and "straightforward_per_frame" are taken over the same frames in one run.

#include <cmath>
#include <ctime>

#include <benchmark/benchmark.h>
#include <Eigen/SparseCholesky>

#include "cutis/body/cast/cast.h"
#include "cutis/core/parallel.h"
#include "cutis/material/presets.h"
#include "cutis/slide/guarded_membrane.h"
#include "cutis/slide/lagrangian.h"
#include "cutis/slide/skin_elements.h"
#include "cutis/slide/skin_problem.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/surface/triangle_mesh.h"

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

/// The parts of LagrangianSlide, for a loop of one's own.
struct Parts {
  explicit Parts(const Body& body)
      : options(options_for(body)),
        rest(std::make_shared<const Surface>(triangulated(body.mesh()).mesh)),
        surface(body.mesh(), rest),
        constraints(surface, options),
        elements(skin_elements(*rest, options)),
        material(std::make_shared<const GuardedMembrane>(options.material)),
        membrane(elements.elements, material),
        ligaments(make_ligaments(), options.ligament),
        unknowns(elements.elements, constraints, ligaments.ligaments(), rest->mesh().vertex_count()),
        problem(surface, constraints, unknowns, ligaments, 1.5e-3 * material->modulus()) {
    double volume = 0;
    for (const MembraneElement& e : elements.elements) volume += e.volume;
    scale = std::sqrt(volume * material->modulus());
  }

  std::vector<Ligament> make_ligaments() const {
    std::vector<Ligament> out;
    const IdVector<VertexId, double> areas = vertex_areas(*rest);
    for (VertexId v : ids<VertexId>(areas.size()))
      if (options.slide_limit[v] > 0) out.push_back({v, areas[v], options.slide_limit[v]});
    return out;
  }

  LagrangianOptions options;
  std::shared_ptr<const Surface> rest;
  SkinSurface surface;
  SkinConstraints constraints;
  SkinElements elements;
  std::shared_ptr<const GuardedMembrane> material;
  MembraneEnergy membrane;
  LigamentEnergy ligaments;
  SkinUnknowns unknowns;
  SkinProblem problem;
  double scale = 1;
};

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
void solve_straightforwardly(Parts& parts) {
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Eigen::VectorXd gradient = parts.problem.gradient();
    const Eigen::SparseMatrix<double> matrix = from_triplets(*parts.problem.definite_hessian(1));
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
    const Eigen::VectorXd step = -factor.solve(gradient);
    const double slope = gradient.dot(step), before = parts.problem.energy();
    if (std::sqrt(-slope) <= kTolerance * parts.scale) return;
    double share = parts.problem.longest_step(step);
    while (share > 1e-10 && !(parts.problem.try_step(step, share) <= before + 1e-4 * share * slope))
      share /= 2;
  }
}

void lagrangian_frame(benchmark::State& state) {
  const auto body = open_cast_member("male", 0.012, RigChoice{{}, "walk", "", 1, -1});
  Parts parts(*body);
  double ours = 0, straightforward = 0, floor = 0;
  int iterations = 0;
  for (auto _ : state) {
    set_threads(1);
    LagrangianSlide slide(*body, parts.options);
    slide.advance(kFirst);
    double spent_by_slide = 0, spent = 0;
    for (int i = 1; i <= kFrames; ++i) {
      const SkinPoints before = slide.map()->points();
      double begin = cpu_seconds();
      iterations += slide.advance(kFirst + i * kStep).iterations;
      spent_by_slide += cpu_seconds() - begin;
      // The same frame, from the same skin.
      begin = cpu_seconds();
      const Points now = body->positions(kFirst + i * kStep);
      parts.surface.update(now);
      parts.problem.start(now, parts.membrane, before);
      solve_straightforwardly(parts);
      spent += cpu_seconds() - begin;
    }
    ours = spent_by_slide / kFrames;
    straightforward = spent / kFrames;
    state.SetIterationTime(ours);

    SparseCholesky factor;
    parts.problem.gradient();
    factor.analyze(parts.problem.hessian());
    const double begin = cpu_seconds();
    for (int i = 0; i < 5; ++i) {
      benchmark::DoNotOptimize(factor.factorize(parts.problem.hessian()));
      benchmark::DoNotOptimize(factor.solve(parts.problem.gradient()));
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
