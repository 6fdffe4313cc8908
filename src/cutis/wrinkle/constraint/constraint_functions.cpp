#include "cutis/wrinkle/constraint/constraint_functions.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// That share the scratch memory of one search.
constexpr std::size_t kCentresPerBatch = 256;

ConstraintFunction constraint_function(Geodesics& geodesics, const IdVector<VertexId, double>& areas,
                                       VertexId centre, double support) {
  ConstraintFunction f{centre, {}};
  geodesics.from_vertices(std::span(&centre, 1), support);
  double sum = 0;
  for (const VertexId v : geodesics.reached()) {
    const double d = geodesics.distance(v) / (support / 2);
    f.samples.push_back({v, areas[v] * std::exp(-d * d / 2)});
    sum += f.samples.back().weight;
  }
  for (VertexWeight& w : f.samples) w.weight /= sum;
  std::sort(f.samples.begin(), f.samples.end(),
            [](const VertexWeight& a, const VertexWeight& b) { return a.vertex < b.vertex; });
  return f;
}

}  // namespace

std::vector<ConstraintFunction> constraint_functions(const Mesh& fine, const GeodesicMetric& in_wavelengths,
                                                     const std::vector<VertexId>& centres, double support) {
  const IdVector<VertexId, double> areas = vertex_areas(fine);
  std::vector<ConstraintFunction> functions(centres.size());
  const std::size_t batches = (centres.size() + kCentresPerBatch - 1) / kCentresPerBatch;
  parallel_for(
      batches,
      [&](std::size_t batch) {
        Geodesics geodesics(in_wavelengths);
        const std::size_t end = std::min(centres.size(), (batch + 1) * kCentresPerBatch);
        for (std::size_t c = batch * kCentresPerBatch; c < end; ++c)
          functions[c] = constraint_function(geodesics, areas, centres[c], support);
      },
      1);
  return functions;
}

}  // namespace cutis
