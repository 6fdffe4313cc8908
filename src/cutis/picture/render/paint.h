#pragma once

#include "cutis/picture/stage.h"

namespace cutis {

/// The colour of a surface before any light falls on it.
Color paint_color(const Spot& spot);

/// The smooth normal, or what a normal map makes of it; unit.
Vec3f painted_normal(const Spot& spot);

/// How much of the wireframe covers a place in the picture (in pixels), 0 to 1, opacity included.
float wire_cover(const Spot& spot, const Vec2f& pixel);

}  // namespace cutis
