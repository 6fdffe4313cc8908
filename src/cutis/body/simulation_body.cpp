#include "cutis/body/simulation_body.h"

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

}  // namespace cutis
