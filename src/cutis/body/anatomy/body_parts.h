#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cutis/body/anatomy/anatomy.h"

namespace cutis {

/// As read_anatomy(), but where the head moves less than a twentieth of what the neck moves, as in rigs that
/// skin a head to the joint of its neck, the neck's share is the head's.
std::optional<Anatomy> read_parts(const Body& body);

/// The parts of a body that figures are given for, by the joints that move them.
struct BodyParts {
  std::vector<std::string> names;   ///< those that the body has, from head to foot
  IdVector<VertexId, int> part_of;  ///< of each vertex, in `names`
};

/// head (with neck apart), trunk, upper arms, forearms, hands, thighs, shins, feet and tail; each vertex
/// belongs to the part that moves it the most. One part, "body", where the rig is not known.
BodyParts body_parts(const Body& body);

}  // namespace cutis
