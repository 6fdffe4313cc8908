#include "cutis/wrinkle/constraint/constraint_functions.h"

#include <cmath>

#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

std::vector<ConstraintFunction> constraint_functions(const Surface& fine,
                                                     const std::vector<VertexId>& centres,
                                                     const IdVector<VertexId, double>& wavelength,
                                                     double support) {
  const IdVector<VertexId, double> areas = vertex_areas(fine.mesh());
  const GeodesicMetric metric(fine.topology(), fine.positions());
  Geodesics geodesics(metric);
  std::vector<ConstraintFunction> functions;
  for (const VertexId centre : centres) {
    ConstraintFunction f{centre, wavelength[centre], {}, {}};
    const double radius = support * f.wavelength, sigma = radius / 2;
    geodesics.from_vertices(std::span(&centre, 1), radius);
    double sum = 0;
    for (const VertexId v : geodesics.reached()) {
      const double d = geodesics.distance(v) / sigma;
      f.vertices.push_back(v);
      f.weights.push_back(areas[v] * std::exp(-d * d / 2));
      sum += f.weights.back();
    }
    for (double& w : f.weights) w /= sum;
    functions.push_back(std::move(f));
  }
  return functions;
}

}  // namespace cutis
