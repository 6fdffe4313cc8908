#pragma once

#include <string>
#include <vector>

#include "cutis/body/body.h"

namespace cutis {

/// A part of a body by the name that its user knows it by.
struct PartOfBody {
  std::string name;                ///< "face", "left hand"
  std::vector<VertexId> vertices;  ///< of body.mesh(), rising; at least one
  Vec3 centre;                     ///< where the one nearest to their mean is at rest [m]
};

/// The parts of body_parts(), both sides together ("hands") and each ("left hand"); the face, which is the
/// front half of the head below the forehead; and the landmarks that slide limits know: eyes, nose, lips,
/// ears, armpits and others. None of these where the rig is not understood. Where the mesh is of several
/// connected pieces, they follow from the largest on, "piece 1", up to 64 of them: unnamed clothes and hair.
std::vector<PartOfBody> parts_of_body(const Body& body);

}  // namespace cutis
