// Table 6-1 of Li 2014 with its own columns, on the examples that stand for its six rows: a frame's time on
// average, of which integration, remeshing and sampling (of properties and constraints), and the time for
// making the constraints once; all in seconds of processor time. Run from the root of the repository:
//   build/release/bench/cutis_bench --benchmark_filter=wrinkle_table
#include <algorithm>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "cutis/core/phase_times.h"
#include "cutis/shot/make_slide.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/wrinkle_settings.h"
#include "cutis/shot/spec/spec.h"

namespace cutis {
namespace {

/// Constraints and vertices of all layers as they are now.
struct LayerCounts {
  double constraints = 0, vertices = 0;
};

LayerCounts counts(const Slide& slide) {
  LayerCounts sum;
  for (const LayerMesh& layer : slide.layer_meshes()) {
    sum.vertices += static_cast<double>(layer.mesh.vertex_count());
    for (const VertexAttribute& field : layer.fields)
      if (field.name == "constraint")
        sum.constraints += *std::max_element(field.values.begin(), field.values.end()) + 1;
  }
  return sum;
}

void wrinkle_table(benchmark::State& state, const char* example) {
  const Shot shot = read_shot(std::filesystem::path("examples") / example / "shot.toml");
  const auto body = open_body(shot.body);
  const SkinSettings settings(shot, *body);
  for (auto _ : state) {
    take_phase_times();
    WrinkleOptions options = wrinkle_options(settings);
    const auto shown = wrinkled_body(settings, options);
    const std::vector<Region> regions = wrinkled_regions(settings, options, *shown);
    const auto slide = make_wrinkles(settings, std::move(options), *shown, regions);
    state.counters["t_c"] = take_phase_times()["wrinkle: constraints"];
    const double fps = shot.time.fps.value_or(24), end = shot.time.end.value_or(body->duration().end);
    double frames = 0, vertices = 0, total = 0, remeshing = 0, sampling = 0;
    for (; frames <= end * fps + 1e-6; ++frames) {
      {
        const PhaseTimer timer("frame");
        slide->advance(frames / fps);
      }
      auto times = take_phase_times();
      total += times["frame"];
      remeshing += times["wrinkle: remeshing"];
      sampling += times["wrinkle: sampling"];
      vertices += counts(*slide).vertices;
    }
    state.counters["N_c"] = counts(*slide).constraints;
    state.counters["N_v"] = vertices / frames;
    state.counters["t_I"] = (total - remeshing - sampling) / frames;
    state.counters["t_R"] = remeshing / frames;
    state.counters["t_S"] = sampling / frames;
    state.counters["total"] = total / frames;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

#define CUTIS_TABLE_ROW(figure, example) \
  BENCHMARK_CAPTURE(wrinkle_table, figure, example)->Iterations(1)->Unit(benchmark::kSecond)
CUTIS_TABLE_ROW(figure_6_3, "two-layers");
CUTIS_TABLE_ROW(figure_6_1_middle, "painted-thickness");
CUTIS_TABLE_ROW(figure_6_1_top, "painted-stiffness");
CUTIS_TABLE_ROW(figure_6_4_top, "compress");
CUTIS_TABLE_ROW(figure_6_4_middle, "twist");
CUTIS_TABLE_ROW(figure_6_4_bottom, "pinch");

}  // namespace
}  // namespace cutis
