#include "cutis/skin/problem/skin_unknowns.h"

#include <algorithm>

namespace cutis {

SkinUnknowns::SkinUnknowns(const std::vector<MembraneElement>& all, const SkinConstraints& constraints,
                           std::size_t vertex_count)
    : block(vertex_count, -1) {
  IdVector<VertexId, char> used(vertex_count, 0);
  for (const MembraneElement& e : all)
    for (VertexId v : e.vertices) used[v] |= e.volume > 0;
  for (VertexId v : ids<VertexId>(vertex_count)) {
    const SkinRole role = constraints.role(v);
    if (!used[v] || (role != SkinRole::Free && role != SkinRole::OnCurve)) continue;
    block[v] = static_cast<int>(vertices.size());
    vertices.push_back(v);
  }

  std::vector<std::vector<std::size_t>> corners_of(vertices.size());
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto& c = all[e].vertices;
    if (all[e].volume == 0 || std::all_of(c.begin(), c.end(), [&](VertexId v) { return block[v] < 0; }))
      continue;
    for (std::size_t k = 0; k < 3; ++k)
      if (block[c[k]] >= 0)
        corners_of[static_cast<std::size_t>(block[c[k]])].push_back(3 * elements.size() + k);
    elements.push_back(e);
    corners.push_back(c);
  }
  around_begin.push_back(0);
  for (const auto& list : corners_of) {
    around.insert(around.end(), list.begin(), list.end());
    around_begin.push_back(around.size());
  }
}

double SkinUnknowns::mean_edge(std::size_t i, const Points& positions) const {
  const Vec3& x = positions[vertices[i]];
  double sum = 0;
  for (std::size_t k = around_begin[i]; k < around_begin[i + 1]; ++k) {
    const auto& c = corners[around[k] / 3];
    const std::size_t corner = around[k] % 3;
    sum += (positions[c[(corner + 1) % 3]] - x).norm() + (positions[c[(corner + 2) % 3]] - x).norm();
  }
  return sum / static_cast<double>(2 * (around_begin[i + 1] - around_begin[i]));
}

}  // namespace cutis
