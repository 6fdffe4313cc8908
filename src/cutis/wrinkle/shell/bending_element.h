#pragma once

#include <array>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/energy/hinge_angle.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

/// The bending of one triangle of a thin plate, from the angles at its three edges. The curvature of a
/// triangle is that of the quadratic which has these angles on the mesh at rest, so that a surface of
/// constant curvature has its exact energy on any mesh: hinges that each count for themselves depend on how a
/// sheet is cut into triangles (the rotation-free shell triangles of Oñate and Flores 2005 take the same six
/// vertices).
struct BendingElement {
  /// The triangle's corners, then for each the vertex across the opposite edge; invalid on a border.
  std::array<VertexId, 6> vertices;
  Vec3 rest_angles = Vec3::Zero();  ///< at the edge opposite each corner [rad]
  /// E = 1/2 (θ - rest)ᵀ stiffness (θ - rest) [N m]; no entries for edges on a border, where the curvature is
  /// the one of least energy: such an edge bears no moment.
  Mat3 stiffness = Mat3::Zero();

  bool has_hinge(std::size_t k) const { return vertices[k + 3].valid(); }
  /// Which of the six vertices are the corners of the hinge opposite corner k, as hinge_angle() wants them.
  static std::array<std::size_t, 4> hinge(std::size_t k) { return {(k + 1) % 3, (k + 2) % 3, k, k + 3}; }
};

/// What a triangle of plate is made of.
struct PlateProperties {
  double stiffness = 0;  ///< D = E h³ / (12 (1 - ν²)) [N m]
  double poisson = 0;
  Vec3 fibres = Vec3::Zero();  ///< a tangent along its fibres at rest; zero where it has none
  double fibre_stiffness = 0;  ///< what they add along it [N m]
};

/// One per face of a mesh of triangles, at rest in its positions.
std::vector<BendingElement> bending_elements(const Mesh& rest, const Topology& topology,
                                             const std::vector<PlateProperties>& faces);

/// The corners of its hinge opposite corner k, which it must have.
HingeCorners hinge_corners(const BendingElement& element, std::size_t k, const Points& positions);
/// The angles of an element at these positions; its rest angles where it has no hinge [rad].
Vec3 bending_angles(const BendingElement& element, const Points& positions);

}  // namespace cutis
