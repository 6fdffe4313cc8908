#include "cutis/skin/lagrangian/skin_ties.h"

#include <cmath>

#include "cutis/skin/lagrangian/skin_elements.h"

namespace cutis {
namespace {

/// Stiffness of the springs, against that of the skin over the whole body.
constexpr double kGauge = 1e-2;

}  // namespace

std::vector<Ligament> ligaments_of(const Surface& rest, const LagrangianOptions& options) {
  std::vector<Ligament> out;
  if (!options.use_ligaments || options.slide_limit.empty()) return out;
  const IdVector<VertexId, double> areas = vertex_areas(rest);
  for (VertexId v : ids<VertexId>(areas.size())) {
    const double limit = options.slide_limit[v];
    const double density = options.ligament_density.empty() ? 1 : options.ligament_density[v];
    if (limit > 0 && std::isfinite(limit) && density * areas[v] > 0)
      out.push_back({v, density * areas[v], limit});
  }
  return out;
}

IdVector<VertexId, double> gauge_weights(const Surface& rest, const SkinUnknowns& unknowns,
                                         double stiffness) {
  const IdVector<FaceId, int> components = rest.topology().components();
  std::vector<char> held(components.size() + 1, 0);
  const auto part = [&](FaceId f) { return static_cast<std::size_t>(components[f]); };
  for (FaceId f : ids<FaceId>(components.size()))
    for (VertexId v : rest.mesh().face(f)) {
      const int b = unknowns.block[v];
      if (b < 0 || unknowns.ligament[static_cast<std::size_t>(b)] >= 0) held[part(f)] = 1;
    }
  const IdVector<VertexId, double> areas = vertex_areas(rest);
  const double per_area = kGauge * stiffness / (rest.size() * rest.size());
  IdVector<VertexId, double> weights(areas.size(), 0);
  bool any = false;
  for (FaceId f : ids<FaceId>(components.size()))
    if (!held[part(f)])
      for (VertexId v : rest.mesh().face(f)) {
        weights[v] = per_area * areas[v];
        any = true;
      }
  return any ? weights : IdVector<VertexId, double>();
}

}  // namespace cutis
