#include "cutis/wrinkle/constraint/constraint_functions.h"

#include <algorithm>
#include <cmath>

#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

std::vector<ConstraintFunction> constraint_functions(const Mesh& fine, const GeodesicMetric& in_wavelengths,
                                                     const std::vector<VertexId>& centres, double support) {
  const IdVector<VertexId, double> areas = vertex_areas(fine);
  Geodesics geodesics(in_wavelengths);
  std::vector<ConstraintFunction> functions;
  for (const VertexId centre : centres) {
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
    functions.push_back(std::move(f));
  }
  return functions;
}

}  // namespace cutis
