#include "cutis/skin/problem/null_space.h"

#include "cutis/skin/problem/skin_elements.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Stiffness of all springs together, as a share of that of the skin over the whole body: weak, so that they
/// hardly strain it.
constexpr double kNullSpaceStiffness = 1e-2;

}  // namespace

IdVector<VertexId, double> null_space_weights(const Surface& rest, const SkinUnknowns& unknowns,
                                              const std::vector<Ligament>& ligaments, double stiffness) {
  const IdVector<FaceId, int> components = rest.topology().components();
  IdVector<VertexId, char> tied(unknowns.block.size(), 0);
  for (const Ligament& ligament : ligaments) tied[ligament.vertex] = 1;
  std::vector<char> held(components.size() + 1, 0);
  const auto part = [&](FaceId f) { return static_cast<std::size_t>(components[f]); };
  for (FaceId f : ids<FaceId>(components.size()))
    for (VertexId v : rest.mesh().face(f))
      if (unknowns.block[v] < 0 || tied[v]) held[part(f)] = 1;
  const IdVector<VertexId, double> areas = vertex_areas(rest.mesh());
  const double per_area = kNullSpaceStiffness * stiffness / (rest.size() * rest.size());
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
