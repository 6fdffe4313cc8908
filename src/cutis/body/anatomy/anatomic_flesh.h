#pragma once

#include <optional>

#include "cutis/body/body.h"

namespace cutis {

/// What lies between skin and bone of a body at each vertex, before smoothing.
struct AnatomicFlesh {
  IdVector<VertexId, double> depth;      ///< how thick it is [m]
  IdVector<VertexId, double> stiffness;  ///< factor on the Young's modulus of loose flesh
};

/// The soft tissue of a known rig: thin and stiff over skull, muzzle, ears, horns, hands, feet and joints
/// (shoulders and hips apart), loose on belly, buttocks, breasts, thighs, upper arms, neck and flanks
/// (docs/flesh.md has the table and its sources). It never goes further than a share of `radius`, which is
/// how thick the body is at each vertex (inner_radius) [m], and grows with the body. Nothing where the rig is
/// not known.
std::optional<AnatomicFlesh> anatomic_flesh(const Body& body, const IdVector<VertexId, double>& radius);

}  // namespace cutis
