#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// A neck and head on the top of a chest, looking along +z, lips apart. The larynx is a small joint under the
/// skin of the neck. Clips, all from the bind pose and back to it: "show" (8 s, the others one after
/// another), "lift" (the chin goes up), "turn" (left and right), "jaw" (opens), "swallow" (the larynx rises
/// and sinks). `edge` is the typical edge length [m].
Character make_head(double edge);

}  // namespace cutis
