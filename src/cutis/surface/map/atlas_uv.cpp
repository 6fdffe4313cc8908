#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/surface/field/uv_charts.h"
#include "cutis/surface/map/atlas.h"

namespace cutis {
namespace {

/// Edges shorter than this share of the layout's extent have no direction in the UVs.
constexpr double no_length = 1e-9;

void check_uvs(const Mesh& mesh) {
  if (!mesh.has_uvs())
    throw InputError(
        "the mesh has no texture coordinates; unwrap it first, or use the intrinsic atlas, which needs none");
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (std::size_t c = mesh.first_corner(f).index(), end = c + mesh.face_size(f); c < end; ++c)
      if (!mesh.uvs[CornerId(c)].allFinite())
        throw InputError(
            fmt::format("face {}: the texture coordinates of vertex {} are not finite; unwrap "
                        "the mesh again",
                        f.value, mesh.corners[CornerId(c)].value));
}

double extent(const IdVector<CornerId, Vec2>& uvs) {
  Vec2 low = Vec2::Zero(), high = Vec2::Zero();
  if (!uvs.empty()) low = high = *uvs.begin();
  for (const Vec2& uv : uvs) {
    low = low.cwiseMin(uv);
    high = high.cwiseMax(uv);
  }
  return (high - low).norm();
}

double twice_area(const IdVector<CornerId, Vec2>& uvs, const Topology& t, HalfedgeId h) {
  const Vec2 a = uvs[t.next(h)] - uvs[h], b = uvs[t.prev(h)] - uvs[h];
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace

Atlas uv_atlas(Atlas::SurfacePtr surface) {
  const Mesh& mesh = surface->mesh();
  const Topology& t = surface->topology();
  check_uvs(mesh);
  const auto& uv = mesh.uvs;
  const double shortest = no_length * extent(uv);

  IdVector<HalfedgeId, ChartTransition> transitions(t.corner_count());
  std::size_t collapsed = 0;
  EdgeId first_collapsed;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const HalfedgeId h = t.halfedge(e), g = t.twin(h);
    const Vec2 &p0 = uv[h], &p1 = uv[t.next(h)], &q0 = uv[t.next(g)], &q1 = uv[g];
    // Within an island the coordinates simply go on, also over an edge along which it is folded.
    if (p0 == q0 && p1 == q1) continue;
    const bool mirrored = twice_area(uv, t, h) * twice_area(uv, t, g) < 0;
    if (std::min((p1 - p0).norm(), (q1 - q0).norm()) > shortest) {
      transitions[h] = ChartTransition::similarity(p0, p1, q0, q1, mirrored);
    } else {
      transitions[h].mirrored = mirrored;
      transitions[h].shift = 0.5 * (q0 + q1) - transitions[h].vector(0.5 * (p0 + p1));
      if (collapsed++ == 0) first_collapsed = e;
    }
    transitions[g] = transitions[h].inverse();
  }
  if (collapsed > 0) {
    const HalfedgeId h = t.halfedge(first_collapsed);
    log().warn(
        "texture layout: {} seam edges have no length on one side (the first joins vertices {} and {}); "
        "coordinates are carried over them without scale",
        collapsed, t.from(h).value, t.to(h).value);
  }
  IdVector<FaceId, int> chart = uv_charts(mesh).chart;
  return Atlas(std::move(surface), std::move(chart), uv, std::move(transitions));
}

}  // namespace cutis
