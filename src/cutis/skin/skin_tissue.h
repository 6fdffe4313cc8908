#pragma once

#include <memory>
#include <vector>

#include "cutis/material/membrane/membrane_material.h"
#include "cutis/skin/skin_state.h"
#include "cutis/surface/map/simulation_mesh.h"
#include "cutis/surface/mesh/deformation.h"

namespace cutis {

/// What skin is made of, one entry per triangle of the body: all that is needed to tell its stress from where
/// it lies.
struct SkinTissue {
  std::shared_ptr<const MembraneMaterial> material;
  std::vector<RestTriangle> rest;   ///< of the body
  std::vector<Mat2> prestretch;     ///< G, from the axes of `rest` to those of the fibres: elastic F = F G
  std::vector<double> thickness;    ///< of skin without stress [m]
  std::vector<double> stiffness;    ///< factor on the material
  std::vector<double> compression;  ///< share of stiffness kept where skin would wrinkle (MembraneMaterial)

  /// Elastic F, stress and thickness of skin whose vertices lie at `positions`.
  void strain(const Mesh& triangles, const Points& positions, SkinState& state) const;
  /// The tissue of a simulation mesh on the triangles of its source: each has that of the triangle below its
  /// first corner.
  SkinTissue on_source(const SimulationMesh& mesh) const;
};

}  // namespace cutis
