#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// An adult's hand with its wrist at the origin, fingers along +x, palm down, thumb towards +z. Clips "flex"
/// (4 s): the fingers flex one after another, from the little one to the thumb, and open again; "fist"
/// (2 s): all at once. `edge` is the typical edge length [m].
Character make_hand(double edge);

}  // namespace cutis
