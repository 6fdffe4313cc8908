#include "cutis/surface/map/simulation_mesh.h"

#include <cassert>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

const Surface& with_faces_everywhere(const Surface& source) {
  for (VertexId v : ids<VertexId>(source.mesh().vertex_count()))
    if (!source.topology().halfedge(v).valid())
      throw InputError(fmt::format("proxy: vertex {} has no face; repair the mesh first", v.value));
  return source;
}

}  // namespace

SimulationMesh::SimulationMesh(SurfacePtr source, double edge, const RemeshOptions& options)
    : SimulationMesh(source, remesh(with_faces_everywhere(*source), edge, options)) {}

SimulationMesh::SimulationMesh(const SurfacePtr& source, RemeshResult remeshed)
    : onto_source_(std::make_shared<Surface>(std::move(remeshed.mesh)), source, std::move(remeshed.source)),
      quality_(remeshed.quality) {
  // Walks start at a vertex that is near along the surface, so that they stay on their own sheet.
  const IdVector<VertexId, VertexId> near = nearest_proxy_vertices();
  on_proxy_.resize(source->mesh().vertex_count());
  parallel_for(on_proxy_.size(), [&](std::size_t i) {
    const VertexId v(i);
    on_proxy_[v] = closest_point_local(surface()->topology(), surface()->positions(),
                                       surface()->point(near[v]), source->positions()[v])
                       .point;
  });
}

/// For each vertex of the source the vertex of the proxy that is nearest along its edges (Dijkstra).
IdVector<VertexId, VertexId> SimulationMesh::nearest_proxy_vertices() const {
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
  return nearest;
}

Points SimulationMesh::proxy_positions(const Points& source_positions) const {
  assert(source_positions.size() == source()->mesh().vertex_count());
  return onto_source_.pull(source_positions);
}

/// Let q be the place below v on the proxy, b its barycentrics, q' = sum b_i P_i the mean of where its
/// corners go. Then v goes to q' + R (v - q), with R the least rotation of the mean normal. On a smooth
/// surface v - q and the distance of q' from the surface are of second order, and so is the miss. Going to
/// the proxy and back by a one-to-one map instead would need a proxy that resolves every fold of the source.
SurfacePoint SimulationMesh::slid(VertexId v, const SurfaceMap& slide) const {
  const Surface& proxy = *surface();
  const SurfacePoint& q = on_proxy_[v];
  Vec3 goes = Vec3::Zero(), goes_normal = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const SurfacePoint& p = slide[proxy.mesh().face(q.face)[i]];
    goes += q.barycentric[i] * proxy.position(p);
    goes_normal += q.barycentric[i] * interpolate(proxy.mesh(), proxy.normals(), p).normalized();
  }
  const Vec3 normal = interpolate(proxy.mesh(), proxy.normals(), q);
  const Vec3 height = source()->positions()[v] - proxy.position(q);
  const bool turns = !normal.isZero() && !goes_normal.isZero();
  const Vec3 target = goes + (turns ? Quat::FromTwoVectors(normal, goes_normal) * height : height);
  return closest_point_local(source()->topology(), source()->positions(), source()->point(v), target).point;
}

SurfaceMap SimulationMesh::to_source(const SurfaceMap& slide) const {
  assert(slide.from() == surface() && slide.to() == surface());
  const Surface& proxy = *surface();
  IdVector<VertexId, char> moved(proxy.mesh().vertex_count());
  for (VertexId p : ids<VertexId>(moved.size()))
    moved[p] = slide[p] != proxy.point(p) && proxy.position(slide[p]) != proxy.positions()[p];
  SurfaceMap::Points points(on_proxy_.size());
  parallel_for(points.size(), [&](std::size_t n) {
    const VertexId v(n);
    const auto face = proxy.mesh().face(on_proxy_[v].face);
    // On an edge the map depends on its two ends only.
    bool moves = false;
    for (int i = 0; i < 3; ++i) moves |= on_proxy_[v].barycentric[i] > 0 && moved[face[i]];
    points[v] = moves ? slid(v, slide) : source()->point(v);
  });
  return SurfaceMap(source(), source(), std::move(points));
}

}  // namespace cutis
