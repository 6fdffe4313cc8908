// What it costs to know where a body is: a rig of 13k vertices, as large as a film character's.
#include <memory>

#include <benchmark/benchmark.h>

#include "cutis/body/procedural/procedural_bodies.h"

namespace cutis {
namespace {

const Body& arm() {
  static const std::unique_ptr<Body> body = open_cast_member("arm", 0.0038);
  return *body;
}

void body_source_positions(benchmark::State& state) {
  const Body& body = arm();
  double time = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(body.source_positions(time));
    time = time < 2 ? time + 0.013 : 0;
  }
  state.counters["vertices"] = static_cast<double>(body.source().vertex_count());
  state.counters["vertices/s"] = benchmark::Counter(static_cast<double>(body.source().vertex_count()),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(body_source_positions)->UseRealTime();

void body_weld(benchmark::State& state) {
  const SourceMesh mesh = arm().source();
  for (auto _ : state) benchmark::DoNotOptimize(weld(mesh, default_weld_tolerance(mesh)));
}
BENCHMARK(body_weld)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
