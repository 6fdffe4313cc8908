#include "cutis/body/simulation_body.h"

#include <utility>

#include "cutis/body/rig/joint_weights.h"
#include "cutis/core/error.h"

namespace cutis {

SimulationBody::SimulationBody(const Body& body, std::shared_ptr<const SimulationMesh> simulation_mesh)
    : body_(body), simulation_mesh_(std::move(simulation_mesh)) {
  const Mesh& mesh = simulation_mesh_->surface()->mesh();
  SourceMesh rest;
  for (const Vec3& p : mesh.positions) rest.positions.push_back(p);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    std::vector<SourceVertexId> corners;
    for (VertexId v : mesh.face(f)) corners.push_back(SourceVertexId(v.value));
    rest.add_face(corners);
  }
  set_rest(std::move(rest), 0);
  if (this->mesh().vertex_count() != mesh.vertex_count())
    throw InputError(
        "skin.resolution: two vertices of the coarser body lie in one place; choose another edge length");
}

SourcePoints SimulationBody::compute_positions(double time) const {
  return SourcePoints(simulation_mesh_->simulation_positions(body_.positions(time)).raw());
}

SourcePoints SimulationBody::smooth_positions(double time) const {
  const Points body = body_.weld().gather(body_.smooth_positions(time));
  return SourcePoints(simulation_mesh_->simulation_positions(body).raw());
}

std::optional<Skeleton> SimulationBody::skeleton() const {
  std::optional<Skeleton> rig = body_.skeleton();
  if (!rig) return rig;
  const Influences from = std::exchange(rig->influences, {{0}, {}, {}});
  for (const SurfacePoint& p : simulation_mesh_->on_source())
    add_between(from, body_.weld().representatives(simulation_mesh_->source()->mesh(), p.face), p.barycentric,
                rig->influences);
  return rig;
}

}  // namespace cutis
