// Remeshing and simulation meshes: vertices a second. The source is a torus of 10,000 vertices; edges half as
// long as its own (four times the vertices), as long, and four times as long.
#include <cmath>

#include <benchmark/benchmark.h>

#include "cutis/surface/map/simulation_mesh.h"
#include "torus.h"

namespace cutis {
namespace {

using benchmark::Counter;

const auto source = [] { return std::make_shared<const Surface>(bench::torus(160, 64)); };
constexpr double source_edge = 2 * M_PI / 160;

// Argument: length of the new edges in hundredths of the source's.
void remesh_torus(benchmark::State& state) {
  const auto surface = source();
  std::size_t vertices = 0;
  for (auto _ : state)
    vertices = remesh(*surface, source_edge * double(state.range(0)) / 100).mesh.vertex_count();
  const auto larger = double(std::max(vertices, surface->mesh().vertex_count()));
  state.counters["new_vertices"] = double(vertices);
  state.counters["vertices"] = Counter(larger, Counter::kIsIterationInvariantRate);
}

// A map of the simulation mesh carried to every vertex of the source: once a frame.
void simulation_mesh_to_source(benchmark::State& state) {
  const auto surface = source();
  const SimulationMesh simulation_mesh(surface, source_edge * double(state.range(0)) / 100);
  SurfaceMap::Points points;
  for (VertexId v : ids<VertexId>(simulation_mesh.surface()->mesh().vertex_count()))
    points.push_back({simulation_mesh.surface()->point(v).face, Vec3(0.4, 0.3, 0.3)});
  const SurfaceMap slide(simulation_mesh.surface(), simulation_mesh.surface(), points);
  for (auto _ : state) benchmark::DoNotOptimize(simulation_mesh.to_source(slide));
  state.counters["vertices"] =
      Counter(double(surface->mesh().vertex_count()), Counter::kIsIterationInvariantRate);
}

BENCHMARK(remesh_torus)->Arg(50)->Arg(100)->Arg(400)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(simulation_mesh_to_source)->Arg(200)->Arg(400)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cutis
