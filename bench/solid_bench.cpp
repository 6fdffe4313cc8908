// Laws of flesh: one evaluation (energy, stress and projected Hessian of one tetrahedron), its energy alone,
// and the signed singular value decomposition below them. Flesh of 100,000 tetrahedra asks for as many
// evaluations in each Newton step.

#include <chrono>
#include <random>

#include <benchmark/benchmark.h>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "cutis/material/solid/green_strain.h"
#include "cutis/material/solid/registry.h"
#include "cutis/material/solid/signed_svd.h"
#include "cutis/material/solid/solid_viscous.h"

namespace cutis {
namespace {

/// Of moving flesh: up to 30 % in each entry, turned anyhow.
std::vector<Mat3> solid_deformations() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<Mat3> all(1000);
  for (Mat3& F : all) {
    const Mat3 strain = Mat3::NullaryExpr([&](Eigen::Index, Eigen::Index) { return uniform(random); });
    const Vec3 axis(uniform(random), uniform(random), 0.3);
    F = Eigen::AngleAxisd(10 * uniform(random), axis.normalized()) * (Mat3::Identity() + strain);
  }
  return all;
}

template <class Decompose>
double seconds(const std::vector<Mat3>& all, const Decompose& decompose) {
  const auto start = std::chrono::steady_clock::now();
  for (const Mat3& F : all) benchmark::DoNotOptimize(decompose(F));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// "jacobi_svd" is the time of Eigen's decomposition over this one's, "direct" that of Eigen's closed form
/// for FᵀF alone, which keeps half of the digits; the two take turns.
void solid_signed_svd(benchmark::State& state) {
  const std::vector<Mat3> all = solid_deformations();
  double own = 0, eigen = 0, direct = 0;
  for (auto _ : state) {
    const double s = seconds(all, [](const Mat3& F) { return signed_svd(F); });
    own += s;
    eigen += seconds(all, [](const Mat3& F) {
      return Eigen::JacobiSVD<Mat3>(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    });
    direct += seconds(all, [](const Mat3& F) {
      return Eigen::SelfAdjointEigenSolver<Mat3>().computeDirect(Mat3(F.transpose() * F));
    });
    state.SetIterationTime(s / static_cast<double>(all.size()));
  }
  state.counters["jacobi_svd"] = eigen / own;
  state.counters["direct"] = direct / own;
}
BENCHMARK(solid_signed_svd)->UseManualTime()->Iterations(300)->Unit(benchmark::kNanosecond);

void solid_viscous(benchmark::State& state) {
  const std::vector<Mat3> all = solid_deformations();
  const SolidViscous viscous{10, 0.01};
  std::size_t i = 0;
  for (auto _ : state) {
    const Mat3& F = all[++i % all.size()];
    benchmark::DoNotOptimize(viscous.evaluate(F, 0.9 * green_strain(F)));
  }
}
BENCHMARK(solid_viscous);

const bool registered_solids = [] {
  for (const SolidSample& sample : solid_samples()) {
    const auto over_all = [sample](auto&& call) {
      return [sample, call](benchmark::State& state) {
        const std::vector<Mat3> all = solid_deformations();
        std::size_t i = 0;
        for (auto _ : state) benchmark::DoNotOptimize(call(*sample.material, all[++i % all.size()]));
      };
    };
    benchmark::RegisterBenchmark(
        ("solid_evaluate/" + sample.name).c_str(),
        over_all([](const SolidMaterial& m, const Mat3& F) { return m.evaluate(F, kProjected); }));
    benchmark::RegisterBenchmark(("solid_energy/" + sample.name).c_str(),
                                 over_all([](const SolidMaterial& m, const Mat3& F) { return m.energy(F); }));
  }
  return true;
}();

}  // namespace
}  // namespace cutis
