#pragma once

#include "cutis/core/types.h"

namespace cutis {

/// The share of a tetrahedron's volume where a linear function is negative, given at its corners.
double negative_share(Vec4 values);

}  // namespace cutis
