#pragma once

#include "cutis/body/body.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// How large a body is against an adult human: what lengths and speeds that nobody gave grow with. From its
/// joints where they are known. Else 1 for bodies between 0.3 and 3 m, which may be parts of a human, and the
/// size over a human's 1.75 m for others.
double human_scale(const Body& body);

/// skin.slide_speed, or that of human skin, whose creases do not snap: 0.15 m/s. Larger bodies slide faster
/// by the same share of their size.
double slide_speed(const SkinSection& skin, double scale);

}  // namespace cutis
