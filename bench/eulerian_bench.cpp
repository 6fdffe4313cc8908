// Steps of Eulerian skin.
//
// eulerian_linear_solve: the linear solve of one step, with the unknowns and constraints of Table 2 of Thin
// Skin Elastodynamics. The paper's recipe is an LU decomposition of the KKT matrix [K Gᵀ; G 0] by CXSparse,
// ordered by AMD of A + Aᵀ; here constraints are eliminated and the matrix is factorised by Cholesky, with a
// pattern that is analysed once. "recipe" is the paper's over ours, "recipe_floor" the same with the ordering
// of the recipe kept from an earlier step. All in one run, on one thread, times those of the processor.
//
// eulerian_step: whole steps on a torus that is shaken, by the number of triangles; "growth" is the exponent
// between this size and the one before.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <Eigen/SparseCore>

#include "cutis/body/analytic_body.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/skin/eulerian/eulerian.h"
#include "cutis/solve/sparse_cholesky.h"
#include "skin_matrix.h"
#include "torus.h"

#if CUTIS_HAS_CXSPARSE
#include <cs.h>
#endif

namespace cutis {
namespace {

double cpu() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

#if CUTIS_HAS_CXSPARSE

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// A triangulated torus with that many vertices and edges about equally long; those that are left over lie in
/// the middle of faces.
Mesh torus_with(int vertices) {
  const int rows = static_cast<int>(std::sqrt(vertices / 2.5));
  const Mesh torus = bench::torus(vertices / rows, rows);
  Mesh mesh;
  mesh.positions = torus.positions;
  for (FaceId f : ids<FaceId>(torus.face_count())) {
    const auto c = torus.face(f);
    if (static_cast<int>(mesh.positions.size()) == vertices) {
      mesh.add_face(std::array{c[0], c[1], c[2]});
      continue;
    }
    const VertexId middle(mesh.positions.size());
    mesh.positions.push_back((torus.positions[c[0]] + torus.positions[c[1]] + torus.positions[c[2]]) / 3);
    for (std::size_t k = 0; k < 3; ++k) mesh.add_face(std::array{c[k], c[(k + 1) % 3], middle});
  }
  return mesh;
}

struct Recipe {
  cs_di* matrix;
  cs_dis* ordering = nullptr;
  explicit Recipe(const Triplets& triplets, int size) {
    cs_di* list = cs_di_spalloc(size, size, static_cast<int>(triplets.size()), 1, 1);
    for (const auto& t : triplets) cs_di_entry(list, t.row(), t.col(), t.value());
    matrix = cs_di_compress(list);
    cs_di_dupl(matrix);
    cs_di_spfree(list);
  }
  ~Recipe() {
    cs_di_sfree(ordering);
    cs_di_spfree(matrix);
  }
  Recipe(const Recipe&) = delete;
  Recipe& operator=(const Recipe&) = delete;
  void order() {
    cs_di_sfree(ordering);
    ordering = cs_di_sqr(1, matrix, 0);
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
    cs_din* factor = cs_di_lu(matrix, ordering, 1);
    Eigen::VectorXd x(b.size());
    std::vector<double> work(static_cast<std::size_t>(b.size()));
    const int n = static_cast<int>(b.size());
    cs_di_ipvec(factor->pinv, b.data(), work.data(), n);
    cs_di_lsolve(factor->L, work.data());
    cs_di_usolve(factor->U, work.data());
    cs_di_ipvec(ordering->q, work.data(), x.data(), n);
    cs_di_nfree(factor);
    return x;
  }
};

void eulerian_linear_solve(benchmark::State& state) {
  const int unknowns = static_cast<int>(state.range(0)), constraints = static_cast<int>(state.range(1));
  const Mesh mesh = torus_with(unknowns / 2);
  const Triplets whole = bench::skin_triplets(mesh, bench::skin_elements(mesh), bench::Triangle::Both);
  // Every so many unknowns one is held: G has a one there.
  std::vector<int> held(static_cast<std::size_t>(unknowns), -1),
      free_of(static_cast<std::size_t>(unknowns), -1);
  for (int i = 0; i < constraints; ++i) held[std::size_t(i * (unknowns / constraints))] = i;
  int free_count = 0;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i] < 0) free_of[i] = free_count++;
  Triplets kkt = whole, reduced;
  for (int i = 0; i < unknowns; ++i)
    if (held[std::size_t(i)] >= 0) {
      kkt.emplace_back(unknowns + held[std::size_t(i)], i, 1);
      kkt.emplace_back(i, unknowns + held[std::size_t(i)], 1);
    }
  for (const auto& t : whole) {
    const int row = free_of[std::size_t(t.row())], column = free_of[std::size_t(t.col())];
    if (row >= column && column >= 0) reduced.emplace_back(row, column, t.value());
  }
  Sparse lower(free_count, free_count);
  lower.setFromTriplets(reduced.begin(), reduced.end());
  Eigen::VectorXd b = Eigen::VectorXd::Zero(unknowns + constraints), free_b(free_count);
  for (int i = 0; i < unknowns; ++i) {
    b[i] = std::sin(0.1 * i);
    if (free_of[std::size_t(i)] >= 0) free_b[free_of[std::size_t(i)]] = b[i];
  }
  Recipe recipe(kkt, unknowns + constraints);
  SparseCholesky cholesky;
  cholesky.analyze(lower);
  double ours_s = 1e9, recipe_s = 1e9, floor_s = 1e9;
  Eigen::VectorXd ours, theirs;
  bool good = true;
  const auto least = [](double& shortest, const auto& f) {
    const double start = cpu();
    f();
    const double s = cpu() - start;
    shortest = std::min(shortest, s);
    return s;
  };
  for (auto _ : state) {
    state.SetIterationTime(least(ours_s, [&] {
      good = cholesky.factorize(lower) && good;
      ours = cholesky.solve(free_b);
    }));
    double ordering_s = 1e9;
    least(ordering_s, [&] { recipe.order(); });
    double solve_s = 1e9;
    least(solve_s, [&] { theirs = recipe.solve(b); });
    recipe_s = std::min(recipe_s, ordering_s + solve_s);
    floor_s = std::min(floor_s, solve_s);
  }
  double off = 0;
  for (int i = 0; i < unknowns; ++i)
    if (free_of[std::size_t(i)] >= 0)
      off = std::max(off, std::abs(theirs[i] - ours[free_of[std::size_t(i)]]));
  if (!good || !(off < 1e-8 * ours.cwiseAbs().maxCoeff())) state.SkipWithError("the two answers differ");
  state.counters["recipe"] = recipe_s / ours_s;
  state.counters["recipe_floor"] = floor_s / ours_s;
}
BENCHMARK(eulerian_linear_solve)
    ->Args({1152, 0})
    ->Args({1320, 44})
    ->Args({1724, 258})
    ->Args({516, 118})
    ->Args({3320, 278})
    ->Args({560, 198})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

#endif

void eulerian_step(benchmark::State& state) {
  static std::pair<double, double> last;
  const int rows = static_cast<int>(std::sqrt(static_cast<double>(state.range(0)) / 5));
  const Mesh mesh = bench::torus(static_cast<int>(2.5 * rows), rows);
  AnalyticShape shape;
  shape.name = "torus";
  for (const Vec3& x : mesh.positions) shape.mesh.positions.push_back(x);
  shape.mesh.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) shape.mesh.corners.push_back(SourceVertexId(v.value));
  shape.motions = {
      {"shake", 1, [](const Vec3& x, double t) -> Vec3 { return x + Vec3(0.05 * std::sin(12 * t), 0, 0); }}};
  const AnalyticBody body(shape);
  EulerianOptions options;
  SkinLaw law;
  law.young = 1e5;
  options.material = make_material(law);
  options.stickiness.assign(body.mesh().vertex_count(), 0.5);
  EulerianSlide skin(body, options);
  int frame = 0;
  for (; frame < 2; ++frame) skin.advance(frame / 24.0);
  double sum = 0;
  for (auto _ : state) {
    const double start = cpu();
    skin.advance(frame++ / 24.0);
    const double s = cpu() - start;
    state.SetIterationTime(s);
    sum += s;
  }
  const double triangles = static_cast<double>(mesh.face_count());
  const double mean = sum / static_cast<double>(state.iterations());
  state.counters["triangles"] = triangles;
  if (last.first > 0)
    state.counters["growth"] = std::log(mean / last.second) / std::log(triangles / last.first);
  last = {triangles, mean};
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_GB"] = static_cast<double>(usage.ru_maxrss) * 1024e-9;
}
BENCHMARK(eulerian_step)
    ->Arg(20000)
    ->Arg(100000)
    ->Arg(400000)
    ->Iterations(4)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
