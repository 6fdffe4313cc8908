#pragma once

#include <memory>

#include "cutis/body/body.h"
#include "cutis/surface/map/simulation_mesh.h"

namespace cutis {

/// The body at another resolution: the vertices of a simulation mesh, carried along by the body they lie on.
/// Vertex i of its mesh is vertex i of the simulation mesh.
class SimulationBody final : public Body {
 public:
  /// The body must outlive it; the simulation mesh's source is triangulated(body.mesh()). Throws InputError
  /// when two vertices of the simulation mesh lie in one place.
  SimulationBody(const Body& body, std::shared_ptr<const SimulationMesh> simulation_mesh);
  Interval duration() const override { return body_.duration(); }
  SourcePoints compute_positions(double time) const override;
  SourcePoints smooth_positions(double time) const override;
  /// The joints of the body, with the weights of the places where the vertices lie.
  std::optional<Skeleton> skeleton() const override;
  std::vector<JointTransform> joint_transforms(double time) const override {
    return body_.joint_transforms(time);
  }

 private:
  const Body& body_;
  std::shared_ptr<const SimulationMesh> simulation_mesh_;
};

}  // namespace cutis
