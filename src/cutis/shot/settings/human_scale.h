#pragma once

#include "cutis/body/body.h"

namespace cutis {

/// How large a body is against an adult human: what lengths and speeds that nobody gave grow with. From its
/// joints where they are known. Else 1 for bodies between 0.3 and 3 m, which may be parts of a human, and the
/// size over a human's 1.75 m for others.
double human_scale(const Body& body);

}  // namespace cutis
