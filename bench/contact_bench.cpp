// Contact of a sheet in folds with itself: the search for near pairs with their barrier, and the bound on a
// step, at several numbers of vertices.
#include <array>
#include <cmath>
#include <random>

#include <benchmark/benchmark.h>

#include "cutis/material/projection.h"
#include "cutis/wrinkle/contact/contact_barrier.h"

namespace cutis {
namespace {

constexpr double kWavelength = 0.25;

/// Rolled into meanders without stretch: the angle of the slope is `steepest` times the sine of the way
/// along.
Vec3 on_meander(double x, double y, double steepest) {
  constexpr int kSteps = 1000;
  Vec3 p(0, y, 0);
  for (int i = 0; i < kSteps; ++i) {
    const double angle = steepest * std::sin(2 * M_PI * x * (i + 0.5) / kSteps / kWavelength);
    p += x / kSteps * Vec3(std::cos(angle), 0, std::sin(angle));
  }
  return p;
}

/// n by n / 5 cells of a width of 1 / n, moved by up to 0.3 of a cell.
struct Folds {
  Mesh rest;
  Points positions, step;
  ContactBarrier barrier;

  explicit Folds(int n) : barrier({0.002, 1e6}) {
    std::mt19937 random(1);
    const auto jitter = [&] { return 0.6 * (static_cast<double>(random()) / 4294967296.0 - 0.5); };
    const int m = n / 5;
    for (int j = 0; j <= m; ++j)
      for (int i = 0; i <= n; ++i) {
        const double x = (i + jitter()) / n, y = (j + jitter()) / n;
        rest.positions.push_back(Vec3(x, y, 0));
        positions.push_back(on_meander(x, y, 2.1));
        step.push_back(on_meander(x, y, 2.12) - positions[VertexId(positions.size() - 1)]);
      }
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) {
        const VertexId a(j * (n + 1) + i), b(a.index() + 1), d(a.index() + at(n + 1)), c(d.index() + 1);
        rest.add_face(std::array{a, b, c});
        rest.add_face(std::array{a, c, d});
      }
    barrier.set_mesh(rest);
  }
};

void contact_evaluate(benchmark::State& state) {
  Folds folds(static_cast<int>(state.range(0)));
  std::size_t active = 0;
  for (auto _ : state)
    active =
        folds.barrier.stencils(folds.positions, folds.barrier.near_pairs(folds.positions), kProjected).size();
  state.counters["vertices"] = static_cast<double>(folds.rest.vertex_count());
  state.counters["active"] = static_cast<double>(active);
}
BENCHMARK(contact_evaluate)->Arg(120)->Arg(245)->Arg(500)->Unit(benchmark::kMillisecond);

void contact_sweep(benchmark::State& state) {
  Folds folds(static_cast<int>(state.range(0)));
  std::size_t pairs = 0;
  for (auto _ : state) pairs = folds.barrier.sweep(folds.positions, folds.step).pairs.size();
  state.counters["vertices"] = static_cast<double>(folds.rest.vertex_count());
  state.counters["pairs"] = static_cast<double>(pairs);
}
BENCHMARK(contact_sweep)->Arg(120)->Arg(245)->Arg(500)->Unit(benchmark::kMillisecond);

/// A trial of a line search: the energy alone, of the pairs that the sweep has found.
void contact_trial(benchmark::State& state) {
  Folds folds(static_cast<int>(state.range(0)));
  const ContactSweep sweep = folds.barrier.sweep(folds.positions, folds.step);
  for (auto _ : state) benchmark::DoNotOptimize(folds.barrier.energy(folds.positions, sweep.pairs));
}
BENCHMARK(contact_trial)->Arg(120)->Arg(245)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
