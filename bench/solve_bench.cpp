// Skin matrices, 2 unknowns per vertex of a torus, up to 13,624: our factors and CHOLMOD's against Eigen's,
// and a gather into a fixed pattern against rebuilding the matrix from triplets.
#include <chrono>
#include <vector>

#include <benchmark/benchmark.h>
#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "cutis/core/parallel.h"
#include "cutis/solve/block_matrix.h"
#include "cutis/solve/sparse_cholesky.h"
#include "skin_matrix.h"
#include "torus.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Its lower triangle.
Sparse skin_matrix(const Mesh& mesh, const std::vector<bench::SkinElement>& locals) {
  const auto all = bench::skin_triplets(mesh, locals, bench::Triangle::Lower);
  const int n = 2 * static_cast<int>(mesh.vertex_count());
  Sparse lower(n, n);
  lower.setFromTriplets(all.begin(), all.end());
  return lower;
}

template <class F>
double seconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One factorisation a round; counters compare with Eigen's of the same matrix in the same run, and with our
/// own where CHOLMOD is the best.
void cholesky_factorize(benchmark::State& state) {
  const Mesh mesh = bench::torus(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const Sparse lower = skin_matrix(mesh, bench::skin_elements(mesh));
  const Eigen::MatrixXd b = Eigen::MatrixXd::Ones(lower.rows(), 1);
  SparseCholesky best, own(Ordering::Best, CholeskyBackend::Multifrontal);
  Eigen::SimplicialLLT<Sparse, Eigen::Lower> eigen;
  const double analysis = seconds([&] { best.analyze(lower); });
  own.analyze(lower);
  eigen.analyzePattern(lower);
  double best_s = 0, own_s = 0, eigen_s = 0, solve_s = 0, eigen_solve_s = 0;
  bool good = true;
  for (auto _ : state) {
    const double s = seconds([&] { good = best.factorize(lower) && good; });
    state.SetIterationTime(s);
    best_s += s;
    solve_s += seconds([&] { benchmark::DoNotOptimize(best.solve(b)); });
    own_s += seconds([&] { good = own.factorize(lower) && good; });
    eigen_s += seconds([&] { eigen.factorize(lower); });
    eigen_solve_s += seconds([&] { benchmark::DoNotOptimize(Eigen::MatrixXd(eigen.solve(b))); });
  }
  if (!good) state.SkipWithError("not positive definite");
  state.counters["unknowns"] = static_cast<double>(lower.rows());
  state.counters["eigen/best"] = eigen_s / best_s;
  state.counters["multifrontal/best"] = own_s / best_s;
  state.counters["eigen/best_solve"] = eigen_solve_s / solve_s;
  state.counters["solve/factor"] = solve_s / best_s;
  state.counters["analysis/factor"] = analysis / (best_s / static_cast<double>(state.iterations()));
  state.SetLabel(SparseCholesky::backend());
}
BENCHMARK(cholesky_factorize)
    ->Args({38, 15})
    ->Args({84, 34})
    ->Args({131, 52})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// One round sums all local matrices, which are given.
void assemble(benchmark::State& state) {
  const Mesh mesh = bench::torus(131, 52);
  const std::vector<bench::SkinElement> locals = bench::skin_elements(mesh);
  ElementBlocks elements;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto corners = mesh.face(FaceId(f));
    elements.push_back({corners[0].value, corners[1].value, corners[2].value});
  }
  BlockMatrix<2> matrix(static_cast<int>(mesh.vertex_count()), elements);
  double gather_s = 0, triplet_s = 0;
  for (auto _ : state) {
    const double s = seconds([&] {
      parallel_for(elements.size(), [&](std::size_t e) { matrix.local(e) = locals[e]; });
      matrix.sum();
    });
    state.SetIterationTime(s);
    gather_s += s;
    triplet_s += seconds([&] { benchmark::DoNotOptimize(skin_matrix(mesh, locals)); });
  }
  const double difference = (matrix.lower() - skin_matrix(mesh, locals)).norm();
  if (!(difference < 1e-10 * matrix.lower().norm())) state.SkipWithError("the two matrices differ");
  state.counters["triplets/gather"] = triplet_s / gather_s;
}
BENCHMARK(assemble)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutis
