#pragma once

#include <memory>

#include "cutis/measure/result_mesh.h"
#include "cutis/picture/draw/line_pattern.h"

namespace cutis {

/// The line field that a result stores with its mesh as streaks on `drawn`, a few pixels wide in a picture of
/// so many rows that the body fills. Throws InputError when the result stores none.
std::shared_ptr<const LinePattern> result_lines(const ResultMesh& mesh, const DrawMesh& drawn, double rows);

}  // namespace cutis
