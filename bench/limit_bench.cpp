// Limit surface with second derivatives, against a bare OpenSubdiv loop over the same points on the same
// patches: PatchMap::FindPatch, PatchTable::EvaluateBasis, weighted sum. The bare loop is given its parameter
// faces and (u, v) ready made and returns derivatives by them; Cutis starts from surface points and adds the
// chart, the chain rule and the corrections. "ratio" is Cutis's rate by the bare rate, both on one thread in
// one run.

#include <array>
#include <cmath>
#include <ctime>
#include <memory>
#include <numbers>
#include <random>

#include <benchmark/benchmark.h>
#include <opensubdiv/far/patchMap.h>
#include <opensubdiv/far/patchTableFactory.h>
#include <opensubdiv/far/primvarRefiner.h>
#include <opensubdiv/far/stencilTable.h>
#include <opensubdiv/far/topologyDescriptor.h>

#include "cutis/surface/limit/limit_chart.h"
#include "cutis/surface/limit/limit_surface.h"

namespace cutis {
namespace {

using namespace OpenSubdiv;

/// Of this thread alone, so that a busy machine does not decide the ratio [s].
double cpu_time() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

enum Kind {
  Regular,
  Mixed,
  Triangles
};  // all quads; one in seven cut in two; all cut, along random diagonals

Mesh torus(int n, int m, Kind kind) {
  Mesh mesh;
  std::mt19937 random(1);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const double a = 2 * std::numbers::pi * i / n, b = 2 * std::numbers::pi * j / m;
      const double radius = 1 + 0.4 * std::cos(b);
      mesh.positions.push_back(Vec3(radius * std::cos(a), radius * std::sin(a), 0.4 * std::sin(b)));
    }
  const auto at = [&](int i, int j) { return VertexId((j % m) * n + i % n); };
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      std::array<VertexId, 4> v{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
      if (kind == Regular || (kind == Mixed && (j * n + i) % 7)) {
        mesh.add_face(v);
        continue;
      }
      if (random() & 1) std::rotate(v.begin(), v.begin() + 1, v.end());
      mesh.add_face(std::array{v[0], v[1], v[2]});
      mesh.add_face(std::array{v[0], v[2], v[3]});
    }
  return mesh;
}

/// OpenSubdiv alone, set up as LimitPatches does.
struct Bare {
  struct Point {
    Vec3 x = Vec3::Zero();
    void Clear() { x.setZero(); }
    void AddWithWeight(const Point& other, double weight) { x += weight * other.x; }
  };
  std::unique_ptr<Far::PatchTable> patches;
  std::unique_ptr<Far::PatchMap> map;
  std::vector<Point> points;

  Bare(const Mesh& mesh, bool loop, int isolation) {
    std::vector<int> sizes, corners;
    for (FaceId f : ids<FaceId>(mesh.face_count())) sizes.push_back(static_cast<int>(mesh.face_size(f)));
    for (VertexId v : mesh.corners) corners.push_back(v.value);
    Far::TopologyDescriptor descriptor;
    descriptor.numVertices = static_cast<int>(mesh.vertex_count());
    descriptor.numFaces = static_cast<int>(sizes.size());
    descriptor.numVertsPerFace = sizes.data();
    descriptor.vertIndicesPerFace = corners.data();
    using Factory = Far::TopologyRefinerFactory<Far::TopologyDescriptor>;
    const auto scheme = loop ? Sdc::SCHEME_LOOP : Sdc::SCHEME_CATMARK;
    const std::unique_ptr<Far::TopologyRefiner> refiner(
        Factory::Create(descriptor, Factory::Options(scheme, Sdc::Options())));
    Far::PatchTableFactory::Options options(static_cast<unsigned>(isolation));
    options.SetPatchPrecision<double>();
    options.useInfSharpPatch = true;
    options.generateLegacySharpCornerPatches = false;
    refiner->RefineAdaptive(options.GetRefineAdaptiveOptions());
    patches.reset(Far::PatchTableFactory::Create(*refiner, options));
    map = std::make_unique<Far::PatchMap>(*patches);

    for (const Vec3& x : mesh.positions) points.push_back({x});
    std::size_t coarser = 0;
    const auto refined = static_cast<std::size_t>(refiner->GetNumVerticesTotal());
    points.resize(refined + static_cast<std::size_t>(patches->GetNumLocalPoints()));
    for (int level = 1; level < refiner->GetNumLevels(); ++level) {
      const std::size_t next =
          coarser + static_cast<std::size_t>(refiner->GetLevel(level - 1).GetNumVertices());
      Point* finer = &points[next];
      Far::PrimvarRefinerReal<double>(*refiner).Interpolate(level, &points[coarser], finer);
      coarser = next;
    }
    if (const auto* caps = patches->GetLocalPointStencilTable<double>())
      caps->UpdateValues(points.data(), points.data() + refined);
  }

  LimitJet evaluate(int face, double u, double v) const {
    const Far::PatchTable::PatchHandle& patch = *map->FindPatch(face, u, v);
    double w[6][20];
    patches->EvaluateBasis(patch, u, v, w[0], w[1], w[2], w[3], w[4], w[5]);
    const Far::ConstIndexArray indices = patches->GetPatchVertices(patch);
    LimitJet jet{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    for (int i = 0; i < indices.size(); ++i) {
      const Vec3& p = points[static_cast<std::size_t>(indices[i])].x;
      jet.position += w[0][i] * p;
      jet.d1 += w[1][i] * p;
      jet.d2 += w[2][i] * p;
      jet.d11 += w[3][i] * p;
      jet.d12 += w[4][i] * p;
      jet.d22 += w[5][i] * p;
    }
    return jet;
  }
};

void limit_evaluation(benchmark::State& state, Kind kind, bool scattered) {
  const Mesh mesh = torus(80, 40, kind);
  const bool loop = kind == Triangles;
  const auto triangles = triangulated(mesh);
  const LimitSurface limit(mesh, triangles);
  const LimitChart chart(mesh, triangles, loop);
  const Bare bare(mesh, loop, limit.isolation());

  constexpr std::size_t count = 20000, chunk = 500;  // taken in turn
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<SurfacePoint> places;
  std::vector<PatchCoordinates> coordinates;
  for (std::size_t i = 0; i < count; ++i) {
    double a = uniform(random), b = uniform(random);
    if (a + b > 1) a = 1 - a, b = 1 - b;
    const std::size_t faces = triangles.mesh.face_count();
    places.push_back({FaceId(scattered ? random() % faces : i * faces / count), Vec3(1 - a - b, a, b)});
    coordinates.push_back(chart.at(places.back()));
  }
  std::vector<LimitJet> ours(count), theirs(count);
  double our_time = 0, their_time = 0;
  for (auto _ : state)
    for (std::size_t begin = 0; begin < count; begin += chunk) {
      const double start = cpu_time();
      for (std::size_t i = begin; i < begin + chunk; ++i)
        theirs[i] = bare.evaluate(coordinates[i].patch_face, coordinates[i].uv.x(), coordinates[i].uv.y());
      const double middle = cpu_time();
      for (std::size_t i = begin; i < begin + chunk; ++i) ours[i] = limit.evaluate(places[i]);
      our_time += cpu_time() - middle;
      their_time += middle - start;
    }
  for (std::size_t i = 0; i < count; ++i)
    if ((ours[i].position - theirs[i].position).norm() > 1e-12)
      return state.SkipWithError("the two surfaces differ");
  const double evaluations = static_cast<double>(count) * static_cast<double>(state.iterations());
  state.counters["evaluations/s"] = evaluations / our_time;
  state.counters["bare/s"] = evaluations / their_time;
  state.counters["ratio"] = their_time / our_time;
}

// Face after face, as a solver visits its surface; and anywhere, where memory decides.
BENCHMARK_CAPTURE(limit_evaluation, regular_quads, Regular, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_evaluation, mixed_polygons, Mixed, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_evaluation, irregular_triangles, Triangles, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_evaluation, regular_quads_scattered, Regular, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_evaluation, mixed_polygons_scattered, Mixed, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_evaluation, irregular_triangles_scattered, Triangles, true)
    ->Unit(benchmark::kMillisecond);

void limit_update(benchmark::State& state, Kind kind) {
  const Mesh mesh = torus(80, 40, kind);
  LimitSurface limit(mesh, triangulated(mesh));
  for (auto _ : state) limit.update(mesh.positions);
  state.counters["points"] = static_cast<double>(limit.point_count());
  state.counters["vertices"] = static_cast<double>(limit.vertex_count());
}

BENCHMARK_CAPTURE(limit_update, mixed_polygons, Mixed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_update, irregular_triangles, Triangles)->Unit(benchmark::kMillisecond);

void limit_build(benchmark::State& state, Kind kind) {
  const Mesh mesh = torus(80, 40, kind);
  const auto triangles = triangulated(mesh);
  for (auto _ : state) benchmark::DoNotOptimize(LimitSurface(mesh, triangles));
}

BENCHMARK_CAPTURE(limit_build, mixed_polygons, Mixed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(limit_build, irregular_triangles, Triangles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
