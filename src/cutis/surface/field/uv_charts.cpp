#include "cutis/surface/field/uv_charts.h"

#include "cutis/core/disjoint_sets.h"
#include "cutis/surface/mesh/edge_table.h"

namespace cutis {
namespace {

bool same_uvs(const Mesh& mesh, const EdgeSide& s, const EdgeSide& t) {
  constexpr double tolerance = 1e-6;
  const auto uv_at = [&](const EdgeSide& side, bool low) {
    return mesh.uvs[side.forward == low ? side.corner : corner_after(mesh, side.face, side.corner)];
  };
  return (uv_at(s, true) - uv_at(t, true)).lpNorm<Eigen::Infinity>() <= tolerance &&
         (uv_at(s, false) - uv_at(t, false)).lpNorm<Eigen::Infinity>() <= tolerance;
}

}  // namespace

UvCharts uv_charts(const Mesh& mesh) {
  UvCharts result;
  if (!mesh.has_uvs()) return result;
  DisjointSets sets(mesh.face_count());
  const EdgeTable edges(mesh);
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (std::size_t i = 1; i < edges[e].size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (same_uvs(mesh, edges[e][i], edges[e][j]))
          sets.join(edges[e][i].face.index(), edges[e][j].face.index());
  std::vector<int> number;
  result.count = sets.numbered(number);
  result.chart = IdVector<FaceId, int>(std::move(number));
  return result;
}

}  // namespace cutis
