#include "cutis/surface/proxy.h"

#include <cassert>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/closest_point.h"
#include "cutis/surface/trace.h"

namespace cutis {
namespace {

/// A way to the proxy and back that ends this near (in sizes of the mesh) is exact but for rounding: maps
/// promise as much.
constexpr double exact = 1e-9;

/// Where a map takes a point. Where it has no image there (a fold, a border, a face without area in the way)
/// the place nearest to the corners' mean.
SurfacePoint image(const SurfaceMap& map, const SurfacePoint& p) {
  if (const SurfacePoint there = map(p); there.face.valid()) return there;
  const auto face = map.from()->mesh().face(p.face);
  int heaviest = 0;
  p.barycentric.maxCoeff(&heaviest);
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < 3; ++i) mean += p.barycentric[i] * map.to()->position(map[face[i]]);
  return closest_point_local(map.to()->topology(), map.to()->positions(), map[face[heaviest]], mean).point;
}

const Surface& with_faces_everywhere(const Surface& source) {
  for (VertexId v : ids<VertexId>(source.mesh().vertex_count()))
    if (!source.topology().halfedge(v).valid())
      throw InputError(fmt::format("proxy: vertex {} has no face; repair the mesh first", v.value));
  return source;
}

}  // namespace

Proxy::Proxy(SurfacePtr source, double edge, const RemeshOptions& options)
    : Proxy(source, remesh(with_faces_everywhere(*source), edge, options)) {}

Proxy::Proxy(const SurfacePtr& source, RemeshResult remeshed)
    : to_source_(std::make_shared<Surface>(std::move(remeshed.mesh)), source, std::move(remeshed.source)),
      quality_(remeshed.quality) {
  const std::size_t n = source->mesh().vertex_count();
  // Walks start at a vertex that is near along the surface, so that they stay on their own side of a closed
  // mouth.
  const SurfaceMap near(source, surface(), nearest_proxy_vertices());
  on_proxy_ = to_source_.inverse(&near).map.points();
  returns_.resize(n);
  remainder_.assign(n, Vec3::Zero());
  parallel_for(n, [&](std::size_t i) { locate(VertexId(i), near[VertexId(i)]); });
  for (const Vec3& r : remainder_) beside_ += r != Vec3::Zero();
  if (beside_ > 0)
    log().info("proxy: {} of {} vertices lie beside it and follow the nearest place", beside_, n);
}

/// For each vertex of the source the vertex of the proxy that is nearest along its edges (Dijkstra).
SurfaceMap::Points Proxy::nearest_proxy_vertices() const {
  const Surface& source = *this->source();
  const Topology& t = source.topology();
  const Points& x = source.positions();
  struct Reached {
    double distance;
    VertexId vertex, from;
    auto operator<=>(const Reached&) const = default;
  };
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  for (VertexId p : ids<VertexId>(on_source().size()))
    for (VertexId v : source.mesh().face(on_source()[p].face))
      open.push({(surface()->positions()[p] - x[v]).norm(), v, p});
  IdVector<VertexId, VertexId> nearest(x.size());
  while (!open.empty()) {
    const Reached top = open.top();
    open.pop();
    if (nearest[top.vertex].valid()) continue;
    nearest[top.vertex] = top.from;
    const HalfedgeId start = t.halfedge(top.vertex);
    HalfedgeId h = start;
    do {
      const VertexId v = t.to(h);
      if (!nearest[v].valid()) open.push({top.distance + (x[v] - x[top.vertex]).norm(), v, top.from});
      h = t.rotate(h);
    } while (h != start);
  }
  SurfaceMap::Points points;
  for (VertexId p : nearest) points.push_back(surface()->point(p));
  return points;
}

/// Follows a vertex to the proxy and back. One that does not come back lies beside the proxy, or was found on
/// another sheet: it gets the nearest place on its own sheet.
void Proxy::locate(VertexId v, const SurfacePoint& near) {
  const Vec3& own = source()->positions()[v];
  const auto miss = [&]() -> Vec3 { return own - source()->position(returns_[v]); };
  returns_[v] = image(to_source_, on_proxy_[v]);
  if (miss().norm() <= exact * source()->size()) return;
  on_proxy_[v] = closest_point_local(surface()->topology(), surface()->positions(), near, own).point;
  returns_[v] = image(to_source_, on_proxy_[v]);
  if (miss().norm() > exact * source()->size()) remainder_[v] = miss();
}

Points Proxy::proxy_positions(const Points& source_positions) const {
  assert(source_positions.size() == source()->mesh().vertex_count());
  return to_source_.pull(source_positions);
}

/// A vertex beside the proxy keeps its way from the place that it follows, turned with the surface.
SurfacePoint Proxy::with_remainder(VertexId v, const SurfacePoint& p) const {
  if (remainder_[v] == Vec3::Zero()) return p;
  const Surface& s = *source();
  const auto normal = [&](const SurfacePoint& q) { return interpolate(s.mesh(), s.normals(), q); };
  const Quat turn = Quat::FromTwoVectors(normal(returns_[v]), normal(p));
  return trace(s.topology(), s.positions(), p, turn * remainder_[v]).end;
}

SurfaceMap Proxy::to_source(const SurfaceMap& slide) const {
  assert(slide.from() == surface() && slide.to() == surface());
  const Surface& proxy = *surface();
  IdVector<VertexId, char> moved(proxy.mesh().vertex_count());
  for (VertexId p : ids<VertexId>(moved.size()))
    moved[p] = slide[p] != proxy.point(p) && proxy.position(slide[p]) != proxy.positions()[p];
  SurfaceMap::Points points(on_proxy_.size());
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    const SurfacePoint& here = on_proxy_[v];
    const auto face = proxy.mesh().face(here.face);
    const bool moves = moved[face[0]] || moved[face[1]] || moved[face[2]];
    points[v] = moves ? with_remainder(v, image(to_source_, image(slide, here))) : source()->point(v);
  });
  return SurfaceMap(source(), source(), std::move(points));
}

}  // namespace cutis
