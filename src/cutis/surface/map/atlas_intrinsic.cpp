#include <numeric>
#include <utility>

#include "cutis/surface/geodesic/intrinsic.h"
#include "cutis/surface/map/atlas.h"

namespace cutis {

Atlas intrinsic_atlas(Atlas::SurfacePtr surface) {
  const Topology& t = surface->topology();
  const auto length = mollified_lengths(t, surface->positions());

  IdVector<CornerId, Vec2> x(t.corner_count());
  for (FaceId f : ids<FaceId>(t.face_count())) {
    const HalfedgeId a = t.halfedge(f), b = t.next(a), c = t.next(b);
    x[a] = Vec2::Zero();
    x[b] = Vec2(length[t.edge(a)], 0);
    x[c] = triangle_apex(length[t.edge(a)], length[t.edge(b)], length[t.edge(c)]);
  }
  IdVector<HalfedgeId, ChartTransition> transitions(t.corner_count());
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const HalfedgeId h = t.halfedge(e), g = t.twin(h);
    transitions[h] = ChartTransition::rigid(x[h], x[t.next(h)], x[t.next(g)], x[g]);
    transitions[g] = transitions[h].inverse();
  }
  IdVector<FaceId, int> chart(t.face_count());
  std::iota(chart.begin(), chart.end(), 0);
  return Atlas(std::move(surface), std::move(chart), std::move(x), std::move(transitions));
}

}  // namespace cutis
