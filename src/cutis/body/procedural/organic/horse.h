#pragma once

#include "cutis/body/rig/character.h"

namespace cutis {

/// A horse, 2.6 m from nose to tail, with a long muzzle and thin ears, that looks along +z and stands on
/// y = 0. Clip "trot" (three steps of 0.6 s, loops): it trots on the spot and tosses its head. `edge` is the
/// typical edge length [m].
Character make_horse(double edge);

}  // namespace cutis
