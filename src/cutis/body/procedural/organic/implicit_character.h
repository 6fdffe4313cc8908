#pragma once

#include <string>

#include "cutis/body/procedural/organic/implicit_body.h"
#include "cutis/body/rig/character.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A character of one closed quad mesh without handles: node i is joint i of the body, the mesh hangs on a
/// last node of its own and follows skin 0. It has UVs and smooth weights, no blend shapes and no clips.
/// `edge` is the typical edge length [m]. Throws InputError when the body has parts thinner than that.
Character make_implicit_character(const std::string& name, const ImplicitBody& body, double edge);

/// The surface alone, without UVs.
Mesh implicit_mesh(const std::string& name, const ImplicitBody& body, double edge);

/// Joint weights: who makes the surface where, spread along the surface by each joint's softness. At most
/// eight a vertex.
Influences implicit_weights(const ImplicitBody& body, const Mesh& mesh);

}  // namespace cutis
