#pragma once

#include <vector>

#include "cutis/io/array/npy.h"
#include "cutis/measure/fields.h"
#include "cutis/run/frame_storage.h"

namespace cutis {

/// The values as an array of a frame: one row for each vertex or face.
NpyArray field_array(const FieldInfo& field, const std::vector<double>& values, FramePrecision precision);

}  // namespace cutis
