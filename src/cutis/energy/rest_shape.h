#pragma once

#include <array>
#include <span>
#include <vector>

#include "cutis/energy/membrane_energy.h"
#include "cutis/surface/mesh/deformation.h"

namespace cutis {

/// What the skin of one triangle is like before anything moves.
struct SkinFace {
  Vec3 direction =
      Vec3::Zero();  ///< of the fibres, in space at rest, of any length; zero when there are none
  /// Length without stress over length at rest, along the direction and across it: 0.875 is skin that has
  /// been stretched by 1 / 0.875. Without a direction, `along` counts every way.
  double along = 1, across = 1;
  double thickness = 0;    ///< of skin without stress [m]
  double stiffness = 1;    ///< a factor on the material
  double compression = 1;  ///< as in MembraneElement
};

/// The element for a triangle that lies as `rest` in the geometry at rest. `sides`, where given, are its two
/// sides from the first corner in a plane when the skin is not stretched, in place of those of `rest`
/// (RestFromMotion gives them); the direction is carried to them. ViSkin, Eqs. 6-7, with
/// F_prestretch = along d dᵀ + across (I - d dᵀ): the text's has no inverse. No volume when the triangle is
/// degenerate.
MembraneElement membrane_element(const std::array<VertexId, 3>& vertices, const RestTriangle& rest,
                                 const SkinFace& face);
MembraneElement membrane_element(const std::array<VertexId, 3>& vertices, const RestTriangle& rest,
                                 const Mat2& sides, const SkinFace& face);

/// One per triangle of `triangles`, at their positions at rest; `sides` may be empty. Degenerate triangles
/// carry nothing: their volume is zero. Throws InputError where a thickness, pre-stretch or stiffness is not
/// above zero.
std::vector<MembraneElement> membrane_elements(const Mesh& triangles, std::span<const SkinFace> faces,
                                               std::span<const Mat2> sides = {});

}  // namespace cutis
