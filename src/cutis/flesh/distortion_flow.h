#pragma once

#include "cutis/core/types.h"
#include "cutis/solve/plastic_flow.h"

namespace cutis {

/// Flows for a step in which an element has come to be deformed by F, against its shape without stress as it
/// was during the step: without a change of volume, and not where it has collapsed.
void flow_in_shape(PlasticFlow<3>& plastic, std::size_t element, const Mat3& F, double dt);

}  // namespace cutis
