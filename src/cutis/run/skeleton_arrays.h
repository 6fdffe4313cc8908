#pragma once

#include <optional>

#include "cutis/body/rig/skeleton.h"
#include "cutis/run/checked_arrays.h"

namespace cutis {

/// A skeleton as mesh.npz holds it; docs/results.md.
Npz skeleton_arrays(const Skeleton& skeleton);

/// Nothing where the file has none. Throws InputError when it is broken.
std::optional<Skeleton> take_skeleton(CheckedArrays& in, std::size_t vertices);

}  // namespace cutis
