// One evaluation of a material: energy, stress and projected Hessian of one element. A skin of 13,000
// vertices asks for 26,000 of them an iteration; "per_skin" is what that takes on one thread.

#include <random>

#include <benchmark/benchmark.h>

#include "cutis/material/membrane/registry.h"

namespace cutis {
namespace {

std::vector<Mat32> deformations() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<Mat32> all(1000);
  for (Mat32& F : all)
    F = Mat32::Identity() + Mat32::NullaryExpr([&](Eigen::Index, Eigen::Index) { return uniform(random); });
  return all;
}

void material_evaluate(benchmark::State& state, const MaterialSample& sample) {
  const std::vector<Mat32> all = deformations();
  std::size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        sample.material->evaluate(all[++i % all.size()], kProjected, sample.compression));
}

void material_energy(benchmark::State& state, const MaterialSample& sample) {
  const std::vector<Mat32> all = deformations();
  std::size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(sample.material->energy(all[++i % all.size()], sample.compression));
}

const bool registered = [] {
  for (const MaterialSample& sample : material_samples()) {
    benchmark::RegisterBenchmark(("material_evaluate/" + sample.name).c_str(),
                                 [sample](benchmark::State& state) { material_evaluate(state, sample); });
    benchmark::RegisterBenchmark(("material_energy/" + sample.name).c_str(),
                                 [sample](benchmark::State& state) { material_energy(state, sample); });
  }
  return true;
}();

}  // namespace
}  // namespace cutis
