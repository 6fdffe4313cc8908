#pragma once

#include <string>

#include "cutis/body/body.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// How far the skin may slide at each vertex of the body's mesh [m]: skin.slide_limit where it is given, else
/// by body part where the rig is known (anatomic_slide_limits.h), else some millimetres on a face (blend
/// shapes without joints), else 2 cm; on faces less in the midst of shapes. Averaged over each vertex and its
/// neighbours (ViSkin 5.3), but for those that are stuck: they stay at 0. `place` begins the messages. Throws
/// InputError when the painted map cannot be read or goes below zero.
IdVector<VertexId, double> slide_limits(const SkinSection& skin, const Body& body, const std::string& place);

}  // namespace cutis
