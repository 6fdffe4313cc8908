// Vertices inverted a second: a torus of 100,000 vertices slid by a smooth field of about three edges,
// inverted cold and from the inverse of the frame before (the field a twentieth weaker), on one thread and on
// all.
#include <array>
#include <cmath>
#include <memory>

#include <benchmark/benchmark.h>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/map/surface_map.h"
#include "torus.h"

namespace cutis {
namespace {

constexpr int around_cells = 500, across_cells = 200;  ///< all edges about equally long

/// Every vertex moved in the torus's two angles.
SurfaceMap slid(const SurfaceMap::SurfacePtr& surface, const ClosestPointTree& tree, double strength) {
  SurfaceMap::Points points;
  for (const Vec3& p : surface->positions()) {
    const double u = std::atan2(p.y(), p.x()), v = std::atan2(p.z(), p.head<2>().norm() - 1);
    points.push_back(
        tree(bench::on_torus(u + strength * std::sin(2 * u + v), v + 2 * strength * std::cos(u - v))).point);
  }
  return SurfaceMap(surface, surface, points);
}

struct Frames {
  SurfaceMap::SurfacePtr surface = std::make_shared<const Surface>(bench::torus(around_cells, across_cells));
  ClosestPointTree tree{surface->mesh()};
  SurfaceMap before = slid(surface, tree, 0.95 * 0.04), now = slid(surface, tree, 0.04);
  SurfaceMap inverse_before = before.inverse().map;
};

void invert(benchmark::State& state, bool warm, int threads) {
  static const Frames frames;
  set_threads(threads);
  std::size_t missed = 0;
  const SurfaceMap::Points guess = warm ? frames.inverse_before.points() : SurfaceMap::Points();
  for (auto _ : state) missed = frames.now.inverse(guess).missed.size();
  set_threads(0);
  using benchmark::Counter;
  const auto count = static_cast<double>(frames.now.points().size());
  state.counters["vertices"] = Counter(count, Counter::kIsIterationInvariantRate);
  state.counters["missed"] = static_cast<double>(missed);
}

BENCHMARK_CAPTURE(invert, cold_on_one_thread, false, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(invert, warm_on_one_thread, true, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(invert, cold_on_all_threads, false, 0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(invert, warm_on_all_threads, true, 0)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cutis
