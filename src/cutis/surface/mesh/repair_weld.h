#pragma once

#include "cutis/surface/mesh/weld.h"

namespace cutis {

/// The weld with a manifold, oriented mesh: as it is where it has one, else as repair() makes it, with one
/// warning in the log that says what was done. Vertices keep their numbers and source vertices; where one was
/// split, its copies follow at the end and move with it (Weld::first). Those that lose their last face stay,
/// with no face. Throws InputError as repair() does.
Weld repaired_weld(Weld weld);

}  // namespace cutis
