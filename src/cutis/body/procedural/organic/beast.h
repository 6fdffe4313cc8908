#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// A heavy, loose-skinned beast on four legs, 1.7 m from nose to tail, that looks along +z and stands on
/// y = 0. Clip "walk_and_stop" (4 s): it walks, and after 2.2 s its feet stay while the body swings on and
/// comes to rest. Clip "run" (four steps of 0.44 s, loops): it trots on the spot. `edge` is the typical edge
/// length [m].
Character make_beast(double edge);

}  // namespace cutis
