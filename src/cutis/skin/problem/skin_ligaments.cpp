#include "cutis/skin/problem/skin_ligaments.h"

#include <cmath>

#include "cutis/skin/problem/skin_elements.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

std::vector<Ligament> skin_ligaments(const Surface& rest, const SkinOptions& options) {
  std::vector<Ligament> out;
  if (!options.use_ligaments || options.slide_limit.empty()) return out;
  const IdVector<VertexId, double> areas = vertex_areas(rest.mesh());
  for (VertexId v : ids<VertexId>(areas.size())) {
    const double limit = options.slide_limit[v];
    const double density = options.ligament_density.empty() ? 1 : options.ligament_density[v];
    if (limit > 0 && std::isfinite(limit) && density * areas[v] > 0)
      out.push_back({v, density * areas[v], limit});
  }
  return out;
}

}  // namespace cutis
