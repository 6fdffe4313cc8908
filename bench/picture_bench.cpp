#include <cmath>
#include <memory>
#include <numbers>

#include <benchmark/benchmark.h>

#include "cutis/io/image/png.h"
#include "cutis/picture/render/render.h"

namespace cutis {
namespace {

/// A torus with a wavy tube: 180 x 74 = 13,320 vertices, as many quads.
SceneObject wavy_torus() {
  constexpr int kAround = 180, kTube = 74;
  std::vector<Vec3> points;
  std::vector<Vec2> uvs;
  std::vector<std::int32_t> offsets{0}, corners;
  for (int i = 0; i < kAround; ++i)
    for (int j = 0; j < kTube; ++j) {
      const double a = 2 * std::numbers::pi * i / kAround, b = 2 * std::numbers::pi * j / kTube;
      const double r = 0.42 + 0.05 * std::sin(9 * a) * std::cos(3 * b), x = 1 + r * std::cos(b);
      points.emplace_back(x * std::cos(a), x * std::sin(a), r * std::sin(b));
      for (const auto& [di, dj] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
        corners.push_back((i + di) % kAround * kTube + (j + dj) % kTube);
        uvs.emplace_back(double(i + di) / kAround, double(j + dj) / kTube);
      }
      offsets.push_back(static_cast<std::int32_t>(corners.size()));
    }
  SceneObject object;
  object.mesh = std::make_shared<DrawMesh>(points, offsets, corners, uvs);
  object.positions = points;
  return object;
}

void picture(benchmark::State& state, Paint paint) {
  Scene scene;
  scene.objects.push_back(wavy_torus());
  scene.objects[0].look.paint = paint;
  scene.ground = -1.5;
  const RenderOptions options;
  const Camera camera =
      fit_camera(scene.objects[0].positions, Framing{}, double(options.width) / options.height);
  for (auto _ : state) benchmark::DoNotOptimize(render(scene, camera, options));
}
BENCHMARK_CAPTURE(picture, plain_960x540, Paint::Plain)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(picture, checker_960x540, Paint::Checker)->Unit(benchmark::kMillisecond)->UseRealTime();

void png(benchmark::State& state) {
  Scene scene;
  scene.objects.push_back(wavy_torus());
  const RenderOptions options;
  const Camera camera =
      fit_camera(scene.objects[0].positions, Framing{}, double(options.width) / options.height);
  const Image image = render(scene, camera, options);
  for (auto _ : state) benchmark::DoNotOptimize(encode_png(image));
}
BENCHMARK(png)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cutis
