// A frame of sliding skin (layout, location, interpolation) against the recipe of the 2009 paper: a layout
// from nothing by conjugate gradients (Jacobi), its matrix built before or rebuilt from triplets. Both to the
// same accuracy, 1/10,000 of an edge, and in time worked on one thread. Patches of the paper's sizes and of
// 5k, 50k and 250k vertices over a moving bump; the densities are the default ones on both sides, and once
// the paper's own.
//   cutis_bench --benchmark_filter=force_density
#include <cmath>
#include <ctime>
#include <map>

#include <benchmark/benchmark.h>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>

#include "cutis/core/parallel.h"
#include "cutis/skin/force_density/patch_slide.h"
#include "cutis/surface/map/surface_point.h"

namespace cutis {
namespace {

/// Time that this thread has worked [s]: everything here runs on one thread, and what else the machine does
/// must not count.
double worked() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A square of quads, cut into triangles, with about this many vertices.
PatchDisk square_patch(int vertices) {
  const int columns = std::max(3, static_cast<int>(std::lround(std::sqrt(vertices))));
  const int rows = std::max(3, static_cast<int>(std::lround(double(vertices) / columns)));
  PatchDisk disk;
  disk.name = "square";
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      disk.body_vertex.push_back(VertexId(j * columns + i));
      disk.mesh.positions.push_back(Vec3(double(i) / (columns - 1) - 0.5, double(j) / (rows - 1) - 0.5, 0));
    }
  const auto add = [&](int a, int b, int c, int polygon) {
    const std::array<VertexId, 3> face{VertexId(a), VertexId(b), VertexId(c)};
    disk.mesh.add_face(face);
    disk.body_face.push_back(FaceId(disk.body_face.size()));
    disk.polygon.push_back(FaceId(polygon));
  };
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i, polygon = j * (columns - 1) + i;
      add(a, a + 1, a + columns + 1, polygon);
      add(a, a + columns + 1, a + columns, polygon);
    }
  for (int i = 0; i < columns - 1; ++i) disk.outline.push_back(VertexId(i));
  for (int j = 0; j < rows - 1; ++j) disk.outline.push_back(VertexId(j * columns + columns - 1));
  for (int i = columns - 1; i > 0; --i) disk.outline.push_back(VertexId((rows - 1) * columns + i));
  for (int j = rows - 1; j > 0; --j) disk.outline.push_back(VertexId(j * columns));
  return disk;
}

/// The bump of the cast, on a unit square: 0.2 in radius, half as high, carried by `way` along x.
Points carried(const Points& rest, double way) {
  Points result;
  for (const Vec3& p : rest) {
    const double r = std::hypot(p.x(), p.y()), q2 = r * r / 0.04;
    const double s = std::clamp((r - 0.2) / 0.3, 0.0, 1.0);
    const double grip = 1 - s * s * s * (10 + s * (6 * s - 15));
    result.push_back({p.x() + grip * way, p.y(), q2 < 1 ? 0.1 * (1 - q2) * (1 - q2) : 0});
  }
  return result;
}

/// To one side, to the other and back in two seconds of 24 frames, as the cast's bump.
double way_at(int frame) { return 0.125 * std::sin(M_PI * frame / 24.0); }

struct Cold {
  double prebuilt = 0, rebuilt = 0;  ///< [s]
};

/// Eq. 2 of the paper as a sparse matrix and right sides.
struct ColdSystem {
  Eigen::SparseMatrix<double> matrix;
  Eigen::MatrixXd right;
};

ColdSystem cold_system(const std::vector<NetBranch>& branches, const std::vector<int>& unknown, int n,
                       const Layout& rest) {
  ColdSystem system{Eigen::SparseMatrix<double>(n, n), Eigen::MatrixXd::Zero(n, 2)};
  std::vector<Eigen::Triplet<double>> entries;
  for (const NetBranch& branch : branches) {
    const int i = unknown[static_cast<std::size_t>(branch.a)],
              j = unknown[static_cast<std::size_t>(branch.b)];
    if (i >= 0) entries.emplace_back(i, i, branch.q);
    if (j >= 0) entries.emplace_back(j, j, branch.q);
    if (i >= 0 && j >= 0) {
      entries.emplace_back(i, j, -branch.q);
      entries.emplace_back(j, i, -branch.q);
    } else if (i >= 0) {
      system.right.row(i) += branch.q * rest[VertexId(branch.b)].transpose();
    } else if (j >= 0) {
      system.right.row(j) += branch.q * rest[VertexId(branch.a)].transpose();
    }
  }
  system.matrix.setFromTriplets(entries.begin(), entries.end());
  return system;
}

double mean_edge(const Topology& t, const Layout& layout) {
  double sum = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count()))
    sum += (layout[t.to(t.halfedge(e))] - layout[t.from(t.halfedge(e))]).norm();
  return sum / static_cast<double>(t.edge_count());
}

struct ColdSolve {
  Eigen::MatrixXd solution;
  double seconds = 0;
};

/// Conjugate gradients from nothing with the loosest tolerance, of those a factor of three apart, that keeps
/// each vertex within `accuracy` of where a factorisation puts it. Finding it does not count.
ColdSolve cold_solve(const ColdSystem& system, double accuracy) {
  const Eigen::MatrixXd exact =
      Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(system.matrix).solve(system.right);
  for (double tolerance = 1e-2;; tolerance /= 3) {
    const double start = worked();
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver;
    solver.setTolerance(tolerance);
    solver.setMaxIterations(100000);
    solver.compute(system.matrix);
    ColdSolve cold{solver.solve(system.right), 0};
    cold.seconds = worked() - start;
    if ((cold.solution - exact).rowwise().norm().maxCoeff() <= accuracy) return cold;
  }
}

/// The same layout by the paper's recipe: from nothing, each of its solves, as accurate as a warm one's.
Cold cold_embedding(const PatchDisk& disk, const Topology& topology, const Layout& rest,
                    const Points& positions, EdgeDensity density) {
  EdgeDensities densities(topology, density, {}, disk.diagonals(topology));
  std::vector<int> unknown(rest.size(), 0);
  for (VertexId v : disk.outline) unknown[v.index()] = -1;
  int n = 0;
  for (int& u : unknown)
    if (u == 0) u = n++;
  Cold cold;
  Layout layout = rest;
  const double accuracy = 1e-4 * mean_edge(topology, rest);
  for (int solve = 0; solve < (densities.linear() ? 2 : 1); ++solve) {
    const double start = worked();
    densities.update(positions);
    if (solve == 1) densities.stiffen(positions, layout);
    const ColdSystem system = cold_system(densities.branches(), unknown, n, rest);
    const double building = worked() - start;
    // Of two solves the first only gives the second its densities (PatchEmbedding).
    const ColdSolve solved = cold_solve(system, densities.linear() && solve == 0 ? 10 * accuracy : accuracy);
    cold.prebuilt += solved.seconds;
    cold.rebuilt += building + solved.seconds;
    for (VertexId v : ids<VertexId>(layout.size()))
      if (const int i = unknown[v.index()]; i >= 0) layout[v] = solved.solution.row(i).transpose();
  }
  return cold;
}

/// The middle one.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// One-run figures of a size: a warm frame and the cold layouts of the same frames take turns.
void force_density_frame(benchmark::State& state, EdgeDensity density, EmbeddingSolver solver) {
  set_threads(1);
  const int vertices = static_cast<int>(state.range(0));
  PatchDisk disk = square_patch(vertices);
  const Points flat = disk.mesh.positions;
  disk.mesh.positions = carried(flat, 0);
  const Topology topology(disk.mesh);
  EmbeddingOptions options;
  options.density = density;
  options.solver = solver;
  PatchSlide slide(disk, options, {});
  const int frames = vertices < 1000 ? 240 : vertices < 10000 ? 24 : vertices < 100000 ? 6 : 3;
  std::vector<double> warm, prebuilt, rebuilt;
  std::size_t steps = 0, shown = 0;
  const std::size_t cold_frames = vertices < 1000 ? 24 : vertices < 10000 ? 4 : 1;
  Points skin(flat.size());
  int frame = 0;
  const auto advance = [&](const Points& positions) {
    const double start = worked();
    steps += static_cast<std::size_t>(slide.advance(positions).iterations);
    for (VertexId v : ids<VertexId>(skin.size()))
      skin[v] = interpolate(disk.mesh, positions, slide.points()[v]);
    benchmark::DoNotOptimize(skin.data());
    return worked() - start;
  };
  for (auto _ : state) {
    advance(carried(flat, way_at(++frame)));
    steps = 0;
    for (int i = 0; i < frames; ++i) {
      const Points positions = carried(flat, way_at(++frame));
      warm.push_back(advance(positions));
      if (prebuilt.size() >= cold_frames) continue;
      const Cold cold = cold_embedding(disk, topology, slide.embedding().rest(), positions, density);
      prebuilt.push_back(cold.prebuilt);
      rebuilt.push_back(cold.rebuilt);
    }
    shown = warm.size();
  }
  set_threads(0);
  state.counters["warm_ms"] = 1e3 * median(warm);
  state.counters["steps"] = double(steps) / double(shown);
  state.counters["cold_prebuilt"] = median(prebuilt) / median(warm);
  state.counters["cold_rebuilt"] = median(rebuilt) / median(warm);
  // How the cost of a frame grows with the size, from 5k on.
  static std::map<std::pair<EdgeDensity, EmbeddingSolver>, std::pair<int, double>> base;
  const auto [first, is_first] = base.try_emplace({density, solver}, vertices, median(warm));
  if (is_first || first->second.first < 4000) first->second = {vertices, median(warm)};
  if (first->second.first < vertices)
    state.counters["exponent"] =
        std::log(median(warm) / first->second.second) / std::log(double(vertices) / first->second.first);
}

#define CUTIS_SIZES                                                                                         \
  Arg(51)->Arg(163)->Arg(316)->Arg(431)->Arg(538)->Arg(5000)->Arg(50000)->Arg(250000)->Iterations(1)->Unit( \
      benchmark::kMillisecond)

BENCHMARK_CAPTURE(force_density_frame, cotangent, EdgeDensity::Cotangent, EmbeddingSolver::Automatic)
    ->CUTIS_SIZES;
BENCHMARK_CAPTURE(force_density_frame, cotangent_direct, EdgeDensity::Cotangent, EmbeddingSolver::Direct)
    ->CUTIS_SIZES;
BENCHMARK_CAPTURE(force_density_frame, inverse_length, EdgeDensity::InverseLength, EmbeddingSolver::Automatic)
    ->CUTIS_SIZES;
BENCHMARK_CAPTURE(force_density_frame, inverse_length_direct, EdgeDensity::InverseLength,
                  EmbeddingSolver::Direct)
    ->CUTIS_SIZES;
BENCHMARK_CAPTURE(force_density_frame, mean_value, EdgeDensity::MeanValue, EmbeddingSolver::Automatic)
    ->Arg(538)
    ->Arg(5000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
