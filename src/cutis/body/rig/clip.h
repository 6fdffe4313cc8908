#pragma once

#include <span>

#include "cutis/body/rig/character.h"

namespace cutis {

/// Numbers a key of the track stands for: 3, 4, or the number of morph targets.
std::size_t component_count(const Track& track);

/// Writes the track's value at any time [s] to `out`, of component_count(track) numbers; before the first key
/// and after the last it holds still. As glTF 2.0 (appendix C) has it: Linear rotations are slerped along the
/// short arc, CubicSpline tangents are scaled by the time between the keys. Rotations come out as unit
/// quaternions x y z w.
void sample(const Track& track, double time, std::span<double> out);

}  // namespace cutis
