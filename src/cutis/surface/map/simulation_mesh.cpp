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
      throw InputError(fmt::format("simulation mesh: vertex {} has no face; repair the mesh first", v.value));
  return source;
}

}  // namespace

SimulationMesh::SimulationMesh(SurfacePtr source, double edge, const RemeshOptions& options)
    : SimulationMesh(source, remesh(with_faces_everywhere(*source), edge, options)) {}

SimulationMesh::SimulationMesh(const SurfacePtr& source, RemeshResult remeshed)
    : onto_source_(std::make_shared<Surface>(std::move(remeshed.mesh)), source, std::move(remeshed.source)),
      quality_(remeshed.quality) {
  // Walks start at a vertex that is near along the surface, so that they stay on their own sheet.
  const IdVector<VertexId, VertexId> near = nearest_simulation_vertices();
  on_simulation_mesh_.resize(source->mesh().vertex_count());
  parallel_for(on_simulation_mesh_.size(), [&](std::size_t i) {
    const VertexId v(i);
    on_simulation_mesh_[v] = closest_point_local(surface()->topology(), surface()->positions(),
                                                 surface()->point(near[v]), source->positions()[v])
                                 .point;
  });
}

/// For each vertex of the source the vertex of the simulation mesh that is nearest along its edges
/// (Dijkstra).
IdVector<VertexId, VertexId> SimulationMesh::nearest_simulation_vertices() const {
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

Points SimulationMesh::simulation_positions(const Points& source_positions) const {
  assert(source_positions.size() == source()->mesh().vertex_count());
  return onto_source_.pull(source_positions);
}

/// Let q be the place below v on the simulation mesh, b its barycentrics, q' = sum b_i P_i the mean of where
/// its corners go. Then v goes to q' + R (v - q), with R the least rotation of the mean normal. On a smooth
/// surface v - q and the distance of q' from the surface are of second order, and so is the miss. Going to
/// the simulation mesh and back by a one-to-one map instead would need a simulation mesh that resolves every
/// fold of the source.
SurfacePoint SimulationMesh::slid(VertexId v, const SurfaceMap& slide) const {
  const Surface& simulation_mesh = *surface();
  const SurfacePoint& q = on_simulation_mesh_[v];
  Vec3 goes = Vec3::Zero(), goes_normal = Vec3::Zero();
  int nearest = 0;
  q.barycentric.maxCoeff(&nearest);
  for (int i = 0; i < 3; ++i) {
    const SurfacePoint& p = slide[simulation_mesh.mesh().face(q.face)[i]];
    goes += q.barycentric[i] * simulation_mesh.position(p);
    goes_normal +=
        q.barycentric[i] * interpolate(simulation_mesh.mesh(), simulation_mesh.normals(), p).normalized();
  }
  const Vec3 normal = interpolate(simulation_mesh.mesh(), simulation_mesh.normals(), q);
  const Vec3 height = source()->positions()[v] - simulation_mesh.position(q);
  const bool turns = !normal.isZero() && !goes_normal.isZero();
  const Vec3 target = goes + (turns ? Quat::FromTwoVectors(normal, goes_normal) * height : height);
  const Surface& onto = *source();
  const auto closest = [&](const SurfacePoint& begin) {
    return closest_point_local(onto.topology(), onto.positions(), begin, target).point;
  };
  const auto agreement = [&](const SurfacePoint& p) {
    return interpolate(onto.mesh(), onto.normals(), p).normalized().dot(goes_normal.normalized());
  };
  const SurfacePoint from_home = closest(onto.point(v));
  const bool faces_with_it = onto.normals()[v].dot(normal) > 0;
  if (!turns || !faces_with_it || agreement(from_home) > 0) return from_home;
  // In a cleft the mean may lie between two walls: on the one that faces as the skin there does.
  const SurfacePoint& near = slide[simulation_mesh.mesh().face(q.face)[nearest]];
  int corner = 0;
  near.barycentric.maxCoeff(&corner);
  const SurfacePoint from_corner = closest(on_source()[simulation_mesh.mesh().face(near.face)[corner]]);
  // That wall is no further from where the skin goes than the skin moves: what hardly moves stays on its own.
  const auto distance = [&](const SurfacePoint& p) { return (onto.position(p) - target).norm(); };
  const double moves = (target - onto.positions()[v]).norm();
  const bool within_reach = distance(from_corner) <= distance(from_home) + moves;
  return within_reach && agreement(from_corner) > agreement(from_home) ? from_corner : from_home;
}

SurfaceMap SimulationMesh::to_source(const SurfaceMap& slide) const {
  assert(slide.from() == surface() && slide.to() == surface());
  const Surface& simulation_mesh = *surface();
  IdVector<VertexId, char> moved(simulation_mesh.mesh().vertex_count());
  for (VertexId p : ids<VertexId>(moved.size()))
    moved[p] = slide[p] != simulation_mesh.point(p) &&
               simulation_mesh.position(slide[p]) != simulation_mesh.positions()[p];
  SurfaceMap::Points points(on_simulation_mesh_.size());
  parallel_for(points.size(), [&](std::size_t n) {
    const VertexId v(n);
    const auto face = simulation_mesh.mesh().face(on_simulation_mesh_[v].face);
    // On an edge the map depends on its two ends only.
    bool moves = false;
    for (int i = 0; i < 3; ++i) moves |= on_simulation_mesh_[v].barycentric[i] > 0 && moved[face[i]];
    points[v] = moves ? slid(v, slide) : source()->point(v);
  });
  return SurfaceMap(source(), source(), std::move(points));
}

}  // namespace cutis
