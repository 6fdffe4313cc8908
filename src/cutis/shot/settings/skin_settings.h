#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/shot/settings/directions.h"
#include "cutis/shot/settings/regions.h"
#include "cutis/surface/map/simulation_mesh.h"

namespace cutis {

/// What a shot says of each vertex and face of the body that its skin is solved on: the character's own, or
/// the simulation mesh that skin.resolution asks for.
class SkinSettings {
 public:
  /// The shot and the body must outlive it. Throws InputError as find_regions, SimulationMesh and
  /// body_directions do.
  SkinSettings(const Shot& shot, const Body& body);

  const Shot& shot() const { return shot_; }
  const Body& body() const { return body_; }                        ///< the character's own
  const std::vector<Region>& regions() const { return regions_; }   ///< on the character's own body
  const BodyDirections& directions() const { return directions_; }  ///< on the character's own body
  const std::shared_ptr<const SimulationMesh>& simulation_mesh() const {
    return simulation_mesh_;
  }  ///< null: none

  /// Regions on the solved body; corners are gone where there is a simulation mesh.
  std::vector<Region> solved_regions() const;
  /// A painted key at the vertices of the solved body. Throws InputError as painted_values does.
  IdVector<VertexId, double> at_vertices(const Painted& painted, const std::string& key) const;
  /// Values at the vertices of the character's own body, at those of the solved one.
  IdVector<VertexId, double> solved(const IdVector<VertexId, double>& values) const;

 private:
  std::vector<VertexId> vertices_nearest(const std::vector<VertexId>& of_body) const;
  const Shot& shot_;
  const Body& body_;
  std::vector<Region> regions_;
  BodyDirections directions_;
  std::shared_ptr<const SimulationMesh> simulation_mesh_;
};

}  // namespace cutis
