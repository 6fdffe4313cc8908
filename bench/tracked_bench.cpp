// Tracked skin on a torus that swings.
//
// tracked_silhouette: the two tracking forces alone, one step per frame, at 13,000 vertices; time per
// frame, posing the body included ("posing_ms").
//
// tracked_frame: a frame with the material; "substeps" in it.
//
// tracked_explicit_sliding: how many times as many substeps a frame needs where the force that holds skin on
// its surface is stepped explicitly ("ratio"), at the same stiffness.
#include <chrono>
#include <cmath>
#include <memory>

#include <benchmark/benchmark.h>

#include "cutis/body/analytic_body.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/skin/tracked/tracked.h"
#include "torus.h"

namespace cutis {
namespace {

constexpr double kFrame = 1.0 / 24;

std::unique_ptr<Body> swinging_torus(int n, int m) {
  const Mesh mesh = bench::torus(n, m);
  SourceMesh source;
  source.positions = SourcePoints(mesh.positions.raw());
  source.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) source.corners.push_back(SourceVertexId(v.index()));
  const auto motion = [](const Vec3& x, double t) -> Vec3 {
    return Eigen::AngleAxisd(0.5 * std::sin(4 * pi * t), Vec3::UnitY()) * x;
  };
  return std::make_unique<AnalyticBody>(
      AnalyticShape{"torus", std::move(source), {AnalyticMotion{"swing", 1e6, motion}}});
}

TrackedOptions skin_of_shots() {
  SkinLaw law;
  law.model = MaterialModel::StableNeoHookean;
  law.young = 3e4;
  law.poisson = 0.3;
  law.biphasic = true;
  law.biphasic_young = 3e5;
  TrackedOptions options;
  options.material = make_material(law);
  options.surface = SlidesOn::Polygon;
  return options;
}

/// Frame after frame of a skin.
class Frames {
 public:
  explicit Frames(TrackedSlide& skin) : skin_(skin) { skin_.advance(0); }
  StepReport next() { return skin_.advance(kFrame * ++frame_); }

 private:
  TrackedSlide& skin_;
  int frame_ = 0;
};

void tracked_silhouette(benchmark::State& state) {
  const auto body = swinging_torus(180, 72);
  TrackedOptions options = skin_of_shots();
  options.material_step = MaterialStep::None;
  TrackedSlide skin(*body, options);
  Frames frames(skin);
  int count = 0;
  for (auto _ : state) {
    frames.next();
    ++count;
  }
  // What posing the body takes: the same poses once more.
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= count; ++i) {
    benchmark::DoNotOptimize(body->smooth_positions(kFrame * i + 1e-9));
    benchmark::DoNotOptimize(body->source_positions(kFrame * i + 2e-9));
  }
  const double posing =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
  state.counters["vertices"] = static_cast<double>(body->mesh().vertex_count());
  state.counters["posing_ms"] = 1000 * posing;
}
BENCHMARK(tracked_silhouette)->Unit(benchmark::kMillisecond)->UseRealTime();

void tracked_frame(benchmark::State& state) {
  const auto body =
      swinging_torus(static_cast<int>(state.range(0)), static_cast<int>(state.range(0)) * 2 / 5);
  TrackedSlide skin(*body, skin_of_shots());
  Frames frames(skin);
  double substeps = 0, count = 0;
  for (auto _ : state) {
    substeps += frames.next().iterations;
    ++count;
  }
  state.counters["vertices"] = static_cast<double>(body->mesh().vertex_count());
  state.counters["substeps"] = substeps / count;
}
BENCHMARK(tracked_frame)->Arg(60)->Arg(120)->Unit(benchmark::kMillisecond)->UseRealTime();

void tracked_explicit_sliding(benchmark::State& state) {
  const auto body = swinging_torus(30, 12);
  double implicit_steps = 0, explicit_steps = 0;
  for (auto _ : state) {
    for (const SlidingStep step : {SlidingStep::Substep, SlidingStep::Explicit}) {
      TrackedOptions options = skin_of_shots();
      options.sliding = DampedSpring::of(static_cast<double>(state.range(0)), 1);
      options.sliding_step = step;
      TrackedSlide skin(*body, options);
      Frames frames(skin);
      for (int i = 0; i < 2; ++i)
        (step == SlidingStep::Explicit ? explicit_steps : implicit_steps) += frames.next().iterations;
    }
  }
  state.counters["ratio"] = explicit_steps / implicit_steps;
}
BENCHMARK(tracked_explicit_sliding)->Arg(5000)->Arg(36000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
