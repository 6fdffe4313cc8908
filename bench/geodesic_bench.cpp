// Rates of distance queries on an irregular torus: whole fields, regions of some edges' radius, distances
// between near points, closest points found anew and followed, and flips to intrinsic Delaunay.
#include <array>
#include <cmath>
#include <random>

#include <benchmark/benchmark.h>

#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/intrinsic.h"
#include "cutis/surface/geodesic/log_map.h"

namespace cutis {
namespace {

using benchmark::Counter;

/// 2 n m triangles; vertices moved by up to 0.3 of a cell, diagonals at random.
Mesh jittered_torus(int n, int m) {
  std::mt19937 random(1);
  const auto jitter = [&] { return 0.6 * (static_cast<double>(random()) / 4294967296.0 - 0.5); };
  Mesh mesh;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const double u = 2 * M_PI * (i + jitter()) / n, v = 2 * M_PI * (j + jitter()) / m;
      const double out = 1 + 0.4 * std::cos(v);
      mesh.positions.push_back(Vec3(out * std::cos(u), out * std::sin(u), 0.4 * std::sin(v)));
    }
  const auto at = [&](int i, int j) { return VertexId(j % m * n + i % n); };
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const VertexId a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      const bool first = random() % 2 == 0;
      mesh.add_face(std::array{a, b, first ? c : d});
      mesh.add_face(std::array{first ? a : b, c, d});
    }
  return mesh;
}

/// About 50,000 triangles.
struct Setting {
  Mesh mesh = jittered_torus(250, 100);
  Topology topology{mesh};
  GeodesicMetric metric{topology, mesh.positions};
  double edge = 2 * M_PI / 250;

  SurfacePoint point(std::size_t i) const {
    return {FaceId(i * 7919 % mesh.face_count()), Vec3(0.2, 0.3, 0.5)};
  }
};

const Setting& setting() {
  static const Setting s;
  return s;
}

void count(benchmark::State& state, const char* what, double number) {
  state.counters[what] = Counter(number, Counter::kIsIterationInvariantRate);
}

void geodesic_field(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Mesh mesh = jittered_torus(n, n * 2 / 5);
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  for (auto _ : state) geodesics.from_vertices(std::array{VertexId(0)});
  count(state, "vertices", static_cast<double>(mesh.vertex_count()));
}
BENCHMARK(geodesic_field)->Arg(100)->Arg(250)->Arg(500)->Unit(benchmark::kMillisecond);

void geodesic_metric(benchmark::State& state) {
  GeodesicMetric metric = setting().metric;
  for (auto _ : state) metric.update(setting().mesh.positions);
  count(state, "faces", static_cast<double>(setting().mesh.face_count()));
}
BENCHMARK(geodesic_metric)->Unit(benchmark::kMillisecond);

/// A region: all within so many edges of a point.
void geodesic_region(benchmark::State& state) {
  const Setting& s = setting();
  Geodesics geodesics(s.metric);
  LogMap map;
  std::size_t i = 0, reached = 0;
  for (auto _ : state) {
    log_map(geodesics, s.point(i++), static_cast<double>(state.range(0)) * s.edge, map);
    reached += map.vertices.size();
  }
  count(state, "regions", 1);
  state.counters["vertices_a_region"] = static_cast<double>(reached) / static_cast<double>(i);
}
BENCHMARK(geodesic_region)->Arg(2)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

/// How far a point has slid: two points so many half-edges apart.
void geodesic_between(benchmark::State& state) {
  const Setting& s = setting();
  Geodesics geodesics(s.metric);
  const ClosestPointTree tree(s.mesh);
  std::vector<std::array<SurfacePoint, 2>> pairs;
  for (std::size_t i = 0; i < 1000; ++i) {
    const SurfacePoint a = s.point(i);
    const Vec3 way = static_cast<double>(state.range(0)) * 0.5 * s.edge * Vec3(0.5, -0.6, 0.62);
    pairs.push_back({a, tree(interpolate(s.mesh, s.mesh.positions, a) + way).point});
  }
  for (auto _ : state)
    for (const auto& [a, b] : pairs) benchmark::DoNotOptimize(geodesics.between(a, b));
  count(state, "pairs", static_cast<double>(pairs.size()));
}
BENCHMARK(geodesic_between)->Arg(1)->Arg(4)->Arg(16)->Unit(benchmark::kMillisecond);

/// Places around the surface, `height` edges away from it.
std::vector<Vec3> places(double height) {
  const Setting& s = setting();
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < 10000; ++i) {
    const SurfacePoint p = s.point(i);
    const auto v = s.mesh.face(p.face);
    const Vec3 a = s.mesh.positions[v[0]];
    const Vec3 normal = (s.mesh.positions[v[1]] - a).cross(s.mesh.positions[v[2]] - a).normalized();
    result.push_back(interpolate(s.mesh, s.mesh.positions, p) + height * s.edge * normal);
  }
  return result;
}

/// On one thread, from places so many tenths of an edge above the surface.
void closest_point_global(benchmark::State& state) {
  const ClosestPointTree tree(setting().mesh);
  const auto points = places(static_cast<double>(state.range(0)) / 10);
  for (auto _ : state)
    for (const Vec3& p : points) benchmark::DoNotOptimize(tree(p));
  count(state, "queries", static_cast<double>(points.size()));
}
BENCHMARK(closest_point_global)->Arg(1)->Arg(100)->Unit(benchmark::kMillisecond);

/// On one thread, from a start one face away.
void closest_point_followed(benchmark::State& state) {
  const Setting& s = setting();
  const auto points = places(static_cast<double>(state.range(0)) / 10);
  std::vector<SurfacePoint> starts;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const HalfedgeId h = s.topology.halfedge(s.point(i).face);
    starts.push_back({s.topology.face(s.topology.twin(h)), Vec3(0.2, 0.3, 0.5)});
  }
  for (auto _ : state)
    for (std::size_t i = 0; i < points.size(); ++i)
      benchmark::DoNotOptimize(closest_point_local(s.topology, s.mesh.positions, starts[i], points[i]));
  count(state, "queries", static_cast<double>(points.size()));
}
BENCHMARK(closest_point_followed)->Arg(1)->Unit(benchmark::kMillisecond);

void closest_point_build(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ClosestPointTree(setting().mesh));
}
BENCHMARK(closest_point_build)->Unit(benchmark::kMillisecond);

void closest_point_refit(benchmark::State& state) {
  ClosestPointTree tree(setting().mesh);
  for (auto _ : state) tree.update(setting().mesh.positions);
}
BENCHMARK(closest_point_refit)->Unit(benchmark::kMillisecond);

void intrinsic_delaunay(benchmark::State& state) {
  const Setting& s = setting();
  int flips = 0;
  for (auto _ : state) {
    IntrinsicTriangulation t(s.topology, s.mesh.positions);
    flips = t.make_delaunay();
  }
  state.counters["flips"] = flips;
}
BENCHMARK(intrinsic_delaunay)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
