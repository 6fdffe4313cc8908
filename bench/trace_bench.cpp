// Traces a second: 100,000 points of a torus moved by one vector each, on one thread and on all, for vectors
// of a fraction of an edge (a substep) up to a hundred edges.
#include <cmath>

#include <benchmark/benchmark.h>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/geodesic/trace.h"
#include "torus.h"

namespace cutis {
namespace {

void trace_points(benchmark::State& state, bool parallel) {
  const Mesh mesh = bench::torus(250, 100);
  const Topology topology(mesh);
  const double edge = 2 * M_PI / 250, length = edge * static_cast<double>(state.range(0)) / 10;
  const std::size_t points = 100000;
  std::vector<SurfacePoint> starts(points);
  std::vector<Vec3> vectors(points);
  for (std::size_t i = 0; i < points; ++i) {
    starts[i] = {FaceId(i * 7919 % mesh.face_count()), Vec3(0.2, 0.3, 0.5)};
    const double angle = 2.399963 * static_cast<double>(i);  // the golden angle covers the circle evenly
    const TangentFrame frame = face_frame(topology, mesh.positions, starts[i].face);
    vectors[i] = length * frame.vector(Vec2(std::cos(angle), std::sin(angle)));
  }
  std::vector<TraceResult> results(points);
  const auto one = [&](std::size_t i) {
    results[i] = trace(topology, mesh.positions, starts[i], vectors[i]);
  };
  for (auto _ : state) {
    if (parallel)
      parallel_for(points, one);
    else
      for (std::size_t i = 0; i < points; ++i) one(i);
  }
  double crossings = 0;
  for (const TraceResult& r : results) crossings += r.crossings;
  using benchmark::Counter;
  const auto count = static_cast<double>(points);
  state.counters["traces"] = Counter(count, Counter::kIsIterationInvariantRate);
  state.counters["crossings"] = Counter(crossings, Counter::kIsIterationInvariantRate);
  state.counters["crossings_a_trace"] = crossings / count;
}

void trace_on_one_thread(benchmark::State& state) { trace_points(state, false); }
void trace_on_all_threads(benchmark::State& state) { trace_points(state, true); }

// Length in tenths of an edge.
BENCHMARK(trace_on_one_thread)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_on_all_threads)->Arg(10)->Arg(100)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cutis
